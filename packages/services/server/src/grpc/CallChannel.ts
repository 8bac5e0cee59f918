import type { IncomingMessage, ServerResponse } from "node:http";
import { constants, type Http2ServerRequest, type Http2ServerResponse, type ServerHttp2Stream } from "node:http2";

/** How long a client may go on sending after its answer. */
const restMs = 500;

/** The parts of a connection that one call needs, for any version of HTTP. */
export interface CallChannel {
  readonly request: Http2ServerRequest | IncomingMessage;
  readonly response: Http2ServerResponse | ServerResponse;
  /** The same object for all calls of a connection. */
  readonly connection: object;
  /** Whether the call has ended. */
  isClosed(): boolean;
  /** Runs when the call is over. */
  onClose(listener: () => void): void;
  /** Breaks the call off. */
  cancel(): void;
  /** Ends the call when its client does not go on, or does not take its answer. */
  watchStalls(stallMs: number): void;
}

/** A call that came over HTTP/2: a stream of its connection. */
export function http2Channel(request: Http2ServerRequest, response: Http2ServerResponse): CallChannel {
  const { stream } = request;
  const cancel = () => stream.close(constants.NGHTTP2_CANCEL);
  request.on("error", () => {});
  stream.on("error", () => {});
  stream.once("finish", () => discardRest(stream));
  return {
    request,
    response,
    connection: stream.session ?? stream,
    isClosed: () => stream.closed,
    onClose: (listener) => void stream.once("close", listener),
    cancel,
    watchStalls(stallMs) {
      const stalled = () => {
        if (stream.closed) return;
        if (!stream.readableEnded || stream.headersSent) cancel();
        else stream.setTimeout(stallMs);
      };
      stream.setTimeout(stallMs, stalled);
    },
  };
}

/** A call that came over HTTP/1.1: it has the connection for itself. */
export function http1Channel(request: IncomingMessage, response: ServerResponse): CallChannel {
  const { socket } = request;
  let isClosed = false;
  request.on("error", () => {});
  response.on("error", () => {});
  response.once("close", () => (isClosed = true));
  response.once("finish", () => {
    if (request.readableEnded) return;
    // The client's remaining data after its answer is discarded, for a moment.
    request.resume();
    const timer = setTimeout(() => socket.destroy(), restMs).unref();
    request.once("end", () => clearTimeout(timer));
  });
  return {
    request,
    response,
    connection: socket,
    isClosed: () => isClosed,
    onClose: (listener) => void response.once("close", listener),
    cancel: () => socket.destroy(),
    watchStalls(stallMs) {
      response.setTimeout(stallMs, () => {
        if (!isClosed && (!request.readableEnded || response.headersSent)) socket.destroy();
      });
    },
  };
}

/** Discards the client's remaining data after its answer, for a moment; then the call is aborted. */
export function discardRest(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.readableEnded) return;
  stream.resume();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), restMs).unref();
  stream.once("close", () => clearTimeout(timer));
}
