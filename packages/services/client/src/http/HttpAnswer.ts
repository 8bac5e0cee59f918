import { ClientError } from "../failure/ClientError.js";

/** The response of a node. */
export interface HttpAnswer {
  /** The base URL of the request. */
  readonly url: string;
  readonly status: number;
  /** `content-type`, in lower case. */
  readonly type: string;
  readonly text: string;
  /** The value of `retry-after`, if it is seconds. */
  readonly retryAfterMs: number | undefined;
}

/** A call, for messages. */
export interface HttpPlace {
  readonly url: string;
  readonly call: string;
  readonly maxBytes: number;
}

/** Reads an answer to its end. @throws {ClientError} `tooLarge` */
export async function readAnswer(response: Response, place: HttpPlace): Promise<HttpAnswer> {
  const text = await readText(response, place);
  const retryAfter = Number(response.headers.get("retry-after") ?? Number.NaN);
  return {
    url: place.url,
    status: response.status,
    type: (response.headers.get("content-type") ?? "").toLowerCase(),
    text,
    retryAfterMs: retryAfter >= 0 ? retryAfter * 1_000 : undefined,
  };
}

async function readText(response: Response, { url, call, maxBytes }: HttpPlace): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel().catch(() => {});
      throw new ClientError({ code: "tooLarge", address: url, call, reason: `more than ${maxBytes} bytes` });
    }
    text += decoder.decode(value, { stream: true });
  }
}
