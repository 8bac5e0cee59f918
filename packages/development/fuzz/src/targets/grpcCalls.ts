import { Agent, request } from "node:http";
import { type ClientHttp2Session, connect } from "node:http2";

/** The answer over HTTP/1.1. */
export interface WebAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: Buffer;
}

/** How a unary call ended, in whichever protocol. */
export interface CallEnd {
  /** The gRPC code; 0 is good. */
  readonly code: number;
  readonly text: string;
  readonly message: Buffer;
}

/** A client of a gRPC port that sends anything: over HTTP/1.1 as browsers do, and over HTTP/2. */
export class RawClient {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #session: ClientHttp2Session | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  /** @throws where no answer comes */
  async post(path: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<WebAnswer> {
    try {
      return await this.#post(path, headers, body);
    } catch (error) {
      // Closed by the server while it was idle, as after a request with an unread rest.
      if (!(error instanceof Error && "isReused" in error)) throw error;
      return this.#post(path, headers, body);
    }
  }

  #post(path: string, headers: Readonly<Record<string, string>>, body: Uint8Array): Promise<WebAnswer> {
    const target = { host: "127.0.0.1", port: this.#port, path, method: "POST", agent: this.#agent };
    return new Promise((resolve, reject) => {
      const call = request({ ...target, headers: { ...headers, "content-length": body.length } }, (answer) => {
        const pieces: Buffer[] = [];
        answer.on("data", (piece: Buffer) => pieces.push(piece));
        answer.on("error", reject);
        answer.on("end", () => {
          const type = String(answer.headers["content-type"] ?? "");
          resolve({ status: answer.statusCode ?? 0, type, body: Buffer.concat(pieces) });
        });
      });
      call.on("error", (error) => reject(call.reusedSocket ? Object.assign(error, { isReused: true }) : error));
      call.end(body);
    });
  }

  /** A unary call in Connect. */
  async connect(path: string, message: Uint8Array): Promise<CallEnd> {
    const { status, body } = await this.post(path, { "content-type": "application/proto" }, message);
    if (status === 200) return { code: 0, text: "", message: body };
    const error = JSON.parse(body.toString()) as { readonly code: string; readonly message?: string };
    return { code: codeOf(error.code), text: error.message ?? "", message: Buffer.alloc(0) };
  }

  /** A unary call in gRPC-web. */
  async web(path: string, message: Uint8Array): Promise<CallEnd> {
    const { body } = await this.post(path, { "content-type": "application/grpc-web+proto" }, framed(message));
    return { ...statusOf(body), message: messagesOf(body)[0] ?? Buffer.alloc(0) };
  }

  /** A unary call in gRPC. */
  grpc(path: string, message: Uint8Array): Promise<CallEnd> {
    if (this.#session === undefined || this.#session.destroyed || this.#session.closed) {
      this.#session = connect(`http://127.0.0.1:${this.#port}`);
      this.#session.on("error", () => {});
    }
    const headers = { ":method": "POST", ":path": path, te: "trailers", "content-type": "application/grpc+proto" };
    const stream = this.#session.request(headers);
    const pieces: Buffer[] = [];
    let code = Number.NaN;
    let text = "";
    const note = (headers: Readonly<Record<string, unknown>>) => {
      if (headers["grpc-status"] === undefined) return;
      code = Number(headers["grpc-status"]);
      text = decodeURIComponent(String(headers["grpc-message"] ?? ""));
    };
    stream.on("response", note);
    stream.on("trailers", note);
    stream.on("data", (piece: Buffer) => pieces.push(piece));
    stream.end(framed(message));
    return new Promise((resolve, reject) => {
      stream.on("error", reject);
      stream.on("close", () =>
        resolve({ code, text, message: messagesOf(Buffer.concat(pieces))[0] ?? Buffer.alloc(0) }),
      );
    });
  }
}

/** A message with its prefix. */
export function framed(message: Uint8Array, flags = 0, length = message.length): Buffer {
  const frame = Buffer.alloc(5 + message.length);
  frame[0] = flags;
  frame.writeUInt32BE(length >>> 0, 1);
  frame.set(message, 5);
  return frame;
}

const trailers = 0x80;

/** Messages of an answer, without trailers. */
function messagesOf(body: Buffer): Buffer[] {
  const messages: Buffer[] = [];
  for (const { flags, content } of framesOf(body)) if ((flags & trailers) === 0) messages.push(content);
  return messages;
}

/** Returns the status in the trailers of a gRPC-web body; `NaN` without. */
export function statusOf(body: Buffer): { readonly code: number; readonly text: string } {
  const trailer =
    framesOf(body)
      .find(({ flags }) => (flags & trailers) !== 0)
      ?.content.toString() ?? "";
  const code = Number(/^grpc-status: *(\d+)/im.exec(trailer)?.[1] ?? Number.NaN);
  return { code, text: decodeURIComponent(/^grpc-message: *([^\r\n]*)/im.exec(trailer)?.[1] ?? "") };
}

function framesOf(body: Buffer): { readonly flags: number; readonly content: Buffer }[] {
  const frames: { readonly flags: number; readonly content: Buffer }[] = [];
  for (let at = 0; at + 5 <= body.length; ) {
    const end = at + 5 + body.readUInt32BE(at + 1);
    frames.push({ flags: body[at]!, content: body.subarray(at + 5, end) });
    at = end;
  }
  return frames;
}

/** The number of a code that Connect names. */
function codeOf(name: string): number {
  const names = [
    ...["ok", "canceled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists"],
    ...["permission_denied", "resource_exhausted", "failed_precondition", "aborted", "out_of_range", "unimplemented"],
    ...["internal", "unavailable", "data_loss", "unauthenticated"],
  ];
  return names.indexOf(name);
}
