import { type ClientHttp2Session, type ClientHttp2Stream, constants, type IncomingHttpHeaders } from "node:http2";
import { closeOnNextTurn } from "./closeOnNextTurn.js";
import { decodeStatusMessage, GrpcError, grpcStatus } from "./GrpcError.js";
import { frameMessage, MessageReader } from "./MessageReader.js";

/** One call that sends messages and waits for one answer. @spec 10 §3.2 */
export interface GrpcRequest {
  /** `/package.Service/Method`. */
  readonly path: string;
  readonly scheme: "http" | "https";
  /** The `:authority` header: the peer's id over TLS, host and port without. */
  readonly authority: string;
  readonly messages: Iterable<Uint8Array>;
  readonly deadlineMs: number;
  readonly maxAnswerBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Is given the headers of an answer. */
  readonly onHeaders?: (headers: IncomingHttpHeaders) => void;
}

/**
 * Calls a method of a peer over an open HTTP/2 session.
 *
 * Messages are taken from `messages` as the peer reads them, so a long stream is never in memory as a whole.
 *
 * @spec 10 §3.2, §3.5
 * @returns the bytes of the one answer
 * @throws {GrpcError} whatever went wrong, connection failures included
 */
export async function callGrpc(session: ClientHttp2Session, request: GrpcRequest): Promise<Uint8Array> {
  if (session.closed || session.destroyed) throw new GrpcError(grpcStatus.unavailable, "connection closed");
  let stream: ClientHttp2Stream;
  try {
    stream = session.request(requestHeaders(request), { endStream: false });
  } catch (error) {
    throw new GrpcError(grpcStatus.unavailable, "connection closed", { cause: error });
  }
  const answer = readAnswer(session, stream, request);
  // The answer may come, or fail, while messages are still being written: it alone decides.
  const end = () => closeOnNextTurn(() => stream.destroyed || stream.close(constants.NGHTTP2_NO_ERROR));
  answer.then(end, end);
  void writeMessages(stream, request.messages);
  return answer;
}

function requestHeaders(request: GrpcRequest) {
  return {
    ":method": "POST",
    ":scheme": request.scheme,
    ":path": request.path,
    ":authority": request.authority,
    "content-type": "application/grpc",
    te: "trailers",
    "user-agent": "vedette",
    "grpc-timeout": `${Math.min(99_999_999, Math.max(1, Math.round(request.deadlineMs)))}m`,
  };
}

async function writeMessages(stream: ClientHttp2Stream, messages: Iterable<Uint8Array>): Promise<void> {
  try {
    for (const message of messages) {
      if (stream.destroyed || stream.closed || !stream.writable) return;
      if (!stream.write(frameMessage(message))) await drained(stream);
    }
    stream.end();
  } catch {
    stream.close(constants.NGHTTP2_CANCEL);
  }
}

function drained(stream: ClientHttp2Stream): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      stream.off("drain", done);
      stream.off("close", done);
      resolve();
    };
    stream.on("drain", done);
    stream.on("close", done);
  });
}

function readAnswer(session: ClientHttp2Session, stream: ClientHttp2Stream, request: GrpcRequest): Promise<Uint8Array> {
  // If the whole connection broke, its calls are reset with a code without meaning.
  const resetCode = () => (session.destroyed || session.closed ? undefined : stream.rstCode);
  return new Promise((resolve, reject) => {
    const reader = new MessageReader(request.maxAnswerBytes);
    let headers: IncomingHttpHeaders | undefined;
    let trailers: IncomingHttpHeaders | undefined;
    let message: Uint8Array | undefined;
    let failure: GrpcError | undefined;

    const cancel = (reason: GrpcError) => {
      failure ??= reason;
      stream.close(constants.NGHTTP2_CANCEL);
      settle();
    };
    const timer = setTimeout(
      () => cancel(new GrpcError(grpcStatus.deadlineExceeded, "deadline exceeded")),
      request.deadlineMs,
    );
    const onAbort = () => cancel(new GrpcError(grpcStatus.cancelled, "cancelled"));
    const settle = () => {
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", onAbort);
      const problem = failure ?? statusFailure(headers, trailers, resetCode());
      if (problem !== undefined) reject(problem);
      else if (message === undefined) reject(new GrpcError(grpcStatus.internal, "No value received for unary call"));
      else resolve(message);
    };

    stream.on("response", (received) => {
      headers = received;
      request.onHeaders?.(received);
    });
    stream.on("trailers", (received) => {
      trailers = received;
    });
    stream.on("data", (data: Uint8Array) => {
      try {
        for (const complete of reader.push(data)) {
          if (message !== undefined) throw new GrpcError(grpcStatus.internal, "More than one value received");
          message = complete;
        }
      } catch (error) {
        cancel(error instanceof GrpcError ? error : new GrpcError(grpcStatus.internal, String(error)));
      }
    });
    stream.on("error", (error) => {
      failure ??= trailers === undefined ? connectionFailure(resetCode(), error) : undefined;
    });
    stream.on("end", () => {
      if (trailers !== undefined || headers?.["grpc-status"] !== undefined) settle();
    });
    stream.on("close", settle);
    if (request.signal?.aborted === true) onAbort();
    else request.signal?.addEventListener("abort", onAbort, { once: true });
  });
}

function statusFailure(
  headers: IncomingHttpHeaders | undefined,
  trailers: IncomingHttpHeaders | undefined,
  resetCode: number | undefined,
): GrpcError | undefined {
  const source = trailers?.["grpc-status"] !== undefined ? trailers : headers;
  const text = source?.["grpc-status"];
  if (typeof text === "string" && /^\d{1,9}$/.test(text)) {
    const status = Number(text);
    if (status === grpcStatus.ok) return undefined;
    return new GrpcError(status, decodeStatusMessage(String(source?.["grpc-message"] ?? "")));
  }
  if (headers === undefined) return connectionFailure(resetCode, undefined);
  const httpStatus = Number(headers[":status"]);
  if (httpStatus === 200) return new GrpcError(grpcStatus.internal, "stream ended without a status");
  return new GrpcError(statusOfHttp(httpStatus), `HTTP status code ${httpStatus}`);
}

function connectionFailure(resetCode: number | undefined, cause: unknown): GrpcError {
  if (resetCode === constants.NGHTTP2_CANCEL) return new GrpcError(grpcStatus.cancelled, "stream reset", { cause });
  if (resetCode === constants.NGHTTP2_ENHANCE_YOUR_CALM) {
    return new GrpcError(grpcStatus.resourceExhausted, "stream reset: too many requests", { cause });
  }
  return new GrpcError(grpcStatus.unavailable, "connection closed", { cause });
}

function statusOfHttp(httpStatus: number): number {
  switch (httpStatus) {
    case 400:
      return grpcStatus.internal;
    case 401:
      return grpcStatus.unauthenticated;
    case 403:
      return grpcStatus.permissionDenied;
    case 404:
      return grpcStatus.unimplemented;
    case 429:
    case 502:
    case 503:
    case 504:
      return grpcStatus.unavailable;
    default:
      return grpcStatus.unknown;
  }
}
