import type { UniversalServerResponse } from "@connectrpc/connect/protocol";

/** The library's words for a message that is none. */
const parseFailure = "parse binary: ";

/**
 * A message that cannot be read is its sender's fault: the library calls it `internal` in Connect, status 500, while
 * the same in JSON is `invalid_argument`, status 400.
 */
export async function blamingSender(answer: UniversalServerResponse): Promise<UniversalServerResponse> {
  if (answer.status !== 500 || answer.body === undefined) return answer;
  const pieces: Uint8Array[] = [];
  for await (const piece of answer.body as AsyncIterable<Uint8Array>) pieces.push(piece);
  const whole = Buffer.concat(pieces);
  const error = errorIn(whole);
  if (error?.message?.startsWith(parseFailure) !== true) return { ...answer, body: oneOf(whole) };
  const body = Buffer.from(JSON.stringify({ ...error, code: "invalid_argument" }));
  const header = new Headers(answer.header);
  header.set("content-length", String(body.length));
  return { ...answer, status: 400, header, body: oneOf(body) };
}

function errorIn(bytes: Buffer): { readonly code?: string; readonly message?: string } | undefined {
  try {
    return JSON.parse(bytes.toString()) as { readonly message?: string };
  } catch {
    return undefined;
  }
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
