import { type IncomingHttpHeaders, request } from "node:http";
import { connect } from "node:http2";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import {
  create,
  type DescMethod,
  fromBinary,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import { answerOf, framed } from "@vedette/server/testing";

/** A request as a client writes it: nothing is added but the host and the body's length. */
export interface ClientRequest {
  readonly port: number;
  readonly method?: "GET" | "POST" | "OPTIONS";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The answer that a client receives. */
export interface ClientAnswer {
  readonly status: number;
  /** The reason of the status line, which is all that some clients keep of a refusal. */
  readonly reason: string;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The headers that the clients' HTTP libraries send with every request. */
export const libraries = {
  /** The library of the Rust client. */
  reqwest: { accept: "*/*" },
  /** The library of the wallet SDK, in Node. */
  axios: {
    accept: "application/json, text/plain, */*",
    "user-agent": "axios/1.7.9",
    "accept-encoding": "gzip, compress, deflate, br",
  },
  /** Used by people and in the documentation. */
  curl: { accept: "*/*", "user-agent": "curl/8.5.0" },
  /** The library of the older indexer. */
  aiohttp: { accept: "*/*", "accept-encoding": "gzip, deflate", "user-agent": "Python/3.11 aiohttp/3.9.1" },
  /** The explorer's browser, on a page of another origin. */
  browser: {
    accept: "*/*",
    "accept-encoding": "gzip, deflate, br, zstd",
    origin: "https://explorer.example",
    "sec-fetch-mode": "cors",
    "sec-fetch-site": "cross-site",
  },
} as const;

/** Sends a request over a connection of its own. */
export function callHttp({ port, method = "GET", path, headers, body }: ClientRequest): Promise<ClientAnswer> {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { host: "127.0.0.1", port, method, path, headers: { ...headers, ...length }, agent: false };
    const sent = request(options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on("data", (piece: Buffer) => pieces.push(piece));
      answer.on("error", reject);
      answer.on("end", () => {
        const { statusCode = 0, statusMessage = "", headers: given } = answer;
        const text = decoded(Buffer.concat(pieces), given["content-encoding"]).toString();
        resolve({ status: statusCode, reason: statusMessage, headers: given, text });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

/** @param more bytes after the request's own: fields that our messages do not have */
export async function callGrpc<M extends DescMethod>(
  port: number,
  method: M,
  given: MessageInitShape<M["input"]>,
  more: Uint8Array = new Uint8Array(0),
): Promise<MessageShape<M["output"]>[]> {
  const session = connect(`http://127.0.0.1:${port}`);
  try {
    const stream = session.request({
      ":method": "POST",
      ":path": `/${method.parent.typeName}/${method.name}`,
      te: "trailers",
      "content-type": "application/grpc",
      "user-agent": "tonic/0.12.3",
    });
    stream.on("error", () => undefined);
    const answered = answerOf(stream);
    stream.end(framed(Buffer.concat([toBinary(method.input, create(method.input, given)), more])));
    const { status, text, messages } = await answered;
    if (status !== 0) throw new Error(`${method.name} ends with status ${status}: ${text}`);
    return messages.map((bytes) => fromBinary(method.output, bytes) as MessageShape<M["output"]>);
  } finally {
    session.close();
  }
}

function decoded(bytes: Buffer, encoding: string | undefined): Buffer {
  if (encoding === "gzip") return gunzipSync(bytes);
  return encoding === "br" ? brotliDecompressSync(bytes) : bytes;
}
