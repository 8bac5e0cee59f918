import http from "node:http";

const maxBytes = 256;

/**
 * Reads a short text over plain HTTP.
 *
 * @spec 10 §6
 * @returns `undefined` where the server is away, slow, talkative or answers anything but 200
 */
export function fetchText(url: string, timeoutMs: number, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const request = http.get(url, { signal, timeout: timeoutMs, agent: false }, (response) => {
      if (response.statusCode !== 200) return give(undefined);
      const pieces: Buffer[] = [];
      let length = 0;
      response.on("data", (piece: Buffer) => {
        length += piece.length;
        if (length > maxBytes) give(undefined);
        else pieces.push(piece);
      });
      response.on("end", () => give(Buffer.concat(pieces).toString("utf8")));
      response.on("error", () => give(undefined));
    });
    const timer = setTimeout(() => give(undefined), timeoutMs);
    const give = (text: string | undefined) => {
      clearTimeout(timer);
      resolve(text);
      request.destroy();
    };
    request.on("error", () => give(undefined));
    request.on("timeout", () => give(undefined));
  });
}
