import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { closeOnNextTurn } from "./closeOnNextTurn.js";
import { encodeStatusMessage, GrpcError, grpcStatus } from "./GrpcError.js";
import { frameMessage, MessageReader } from "./MessageReader.js";

/** The input of a server's method. @spec 10 §3.2 */
export interface GrpcCall<Caller> {
  readonly caller: Caller;
  /** The caller's messages, as they come; ends when the caller has sent all, throws when the call breaks off. */
  readonly messages: AsyncIterable<Uint8Array>;
  readonly signal: AbortSignal;
}

/** A method that takes one or several messages and answers with one. @spec 10 §3.2 */
export interface GrpcMethod<Caller> {
  /** Besides those of every answer. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly maxMessageBytes: number;
  /** How long the caller may be silent. */
  readonly idleMs: number;
  /** How long the whole call may take, whatever the caller's own deadline. */
  readonly deadlineMs: number;
  /** @throws {GrpcError} to answer with another status than OK */
  handle(call: GrpcCall<Caller>): Promise<Uint8Array>;
}

/**
 * Serves one call of a peer from its first header to its status.
 *
 * Never throws and never rejects: whatever goes wrong ends in a status or in a reset stream.
 *
 * @spec 10 §3.2
 */
export async function serveCall<Caller>(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  method: GrpcMethod<Caller> | undefined,
  caller: Caller,
): Promise<void> {
  stream.on("error", () => {});
  if (headers[":method"] !== "POST") return refuseHttp(stream, 405);
  if (!/^application\/grpc(?:[+;]|$)/.test(headers["content-type"] ?? "")) return refuseHttp(stream, 415);
  if (method === undefined) {
    return answerStatus(stream, new GrpcError(grpcStatus.unimplemented, `Method not found: ${headers[":path"] ?? ""}`));
  }
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(), deadlineOf(headers["grpc-timeout"], method.deadlineMs));
  stream.setTimeout(method.idleMs, () => ended.abort());
  stream.on("close", () => ended.abort());
  ended.signal.addEventListener("abort", () => stream.close(constants.NGHTTP2_CANCEL), { once: true });
  try {
    const messages = readMessages(stream, new MessageReader(method.maxMessageBytes));
    answerMessage(stream, await method.handle({ caller, messages, signal: ended.signal }), method.headers);
  } catch (error) {
    answerStatus(stream, error instanceof GrpcError ? error : new GrpcError(grpcStatus.unknown, "", { cause: error }));
  } finally {
    clearTimeout(timer);
  }
}

/** Takes the only message of a unary call. @spec 10 §3.2 */
export async function onlyMessage(messages: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  let only: Uint8Array | undefined;
  for await (const message of messages) {
    if (only !== undefined) throw new GrpcError(grpcStatus.internal, "Too many requests");
    only = message;
  }
  if (only === undefined) throw new GrpcError(grpcStatus.internal, "Half-closed without a request");
  return only;
}

async function* readMessages(stream: ServerHttp2Stream, reader: MessageReader): AsyncGenerator<Uint8Array> {
  // Refusing the rest of a call must not tear down the stream that carries the answer.
  const pieces = stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  for await (const data of pieces) yield* reader.push(data);
  if (stream.aborted || stream.destroyed) throw new GrpcError(grpcStatus.cancelled, "call broken off");
  if (reader.unfinished) throw new GrpcError(grpcStatus.internal, "Encountered end-of-stream mid-frame");
}

const unitMs: Readonly<Record<string, number>> = { H: 3_600_000, M: 60_000, S: 1000, m: 1, u: 1e-3, n: 1e-6 };

function deadlineOf(header: string | string[] | undefined, limitMs: number): number {
  const parsed = typeof header === "string" ? /^(\d{1,8})([HMSmun])$/.exec(header) : null;
  if (parsed === null) return limitMs;
  return Math.min(limitMs, Math.ceil(Number(parsed[1]) * (unitMs[parsed[2] ?? ""] ?? 1)));
}

function refuseHttp(stream: ServerHttp2Stream, status: number): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ":status": status }, { endStream: true });
  closeOnNextTurn(() => stream.close(constants.NGHTTP2_NO_ERROR));
}

function answerMessage(stream: ServerHttp2Stream, message: Uint8Array, headers: GrpcMethod<unknown>["headers"]): void {
  if (stream.destroyed || stream.closed) return;
  stream.on("wantTrailers", () => {
    if (!stream.destroyed) stream.sendTrailers({ "grpc-status": "0" });
  });
  stream.respond({ ":status": 200, "content-type": "application/grpc", ...headers }, { waitForTrailers: true });
  stream.end(frameMessage(message));
  discardRest(stream);
}

function answerStatus(stream: ServerHttp2Stream, error: GrpcError): void {
  if (stream.destroyed || stream.closed || stream.headersSent) return;
  stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": String(error.status),
      "grpc-message": encodeStatusMessage(error.description),
    },
    { endStream: true },
  );
  discardRest(stream);
}

/** Reads and discards the caller's remaining data after its answer, for a moment; then resets the stream. */
function discardRest(stream: ServerHttp2Stream): void {
  stream.resume();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), discardMs);
  stream.once("close", () => clearTimeout(timer));
}

const discardMs = 1000;
