const maxBytes = 8 << 20;

/**
 * Returns the JSON answer of an API of this machine.
 *
 * @throws when nothing answers in time, or the answer is no JSON, is too large or reports a failure
 */
export async function readLocal(port: number, path: string, timeoutMs: number, body?: string): Promise<unknown> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request: RequestInit = body === undefined ? { signal } : { signal, method: "POST", body };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, request);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the answer of port ${port} to ${path} is too large`);
    chunks.push(chunk);
  }
  const text = Buffer.concat(chunks).toString("utf8");
  if (!response.ok)
    throw new Error(`port ${port} answers ${path} with status ${response.status}: ${text.slice(0, 500)}`);
  return JSON.parse(text);
}
