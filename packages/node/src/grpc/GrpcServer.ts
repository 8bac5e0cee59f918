import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from "node:http2";
import type { AddressInfo } from "node:net";
import { Code, ConnectError, type ConnectRouter, createConnectRouter } from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { GrpcConnection } from "./GrpcConnection.js";
import type { GrpcLimits } from "./limits.js";

/** What a gRPC server is made of. */
export interface GrpcServerOptions {
  readonly limits: GrpcLimits;
  /** Registers the services. */
  readonly routes: (router: ConnectRouter) => void;
  readonly nowMs: () => number;
}

type Handler = ReturnType<typeof createConnectRouter>["handlers"][number];

/** Longer than any message may be: answers are never compressed. @spec 50 §3.1 */
const neverCompressed = 0xffff_ffff;
const streamWindowBytes = 262_144;
const connectionWindowBytes = 1_048_576;
/** How long calls may go on when the node stops. */
const stopGraceMs = 500;

/**
 * A gRPC server over plaintext HTTP/2.
 *
 * @spec 50 §3.1
 */
export class GrpcServer implements AsyncDisposable {
  readonly #limits: GrpcLimits;
  readonly #nowMs: () => number;
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #server: Http2Server;
  readonly #connections = new Map<ServerHttp2Session, GrpcConnection>();
  #calls = 0;
  #requestBytes = 0;

  constructor({ limits, routes, nowMs }: GrpcServerOptions) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#handlers = handlersOf(limits, routes);
    this.#server = createServer(
      {
        settings: {
          maxConcurrentStreams: limits.maxCallsPerConnection,
          initialWindowSize: streamWindowBytes,
          maxHeaderListSize: 16_384,
          enablePush: false,
        },
        maxHeaderListPairs: 64,
      },
      (request, response) => this.#serve(request, response),
    );
    this.#server.on("session", (session) => this.#accept(session));
    this.#server.on("sessionError", () => {});
    this.#server.on("connection", (socket) => socket.on("error", () => {}));
  }

  /** Connections that are open now. */
  get connections(): number {
    return this.#connections.size;
  }

  /** Bytes of the requests that are being read or worked on. */
  get requestBytes(): number {
    return this.#requestBytes;
  }

  /** Begins to listen. @param port 0 takes any free one @returns the port */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen(port, host, () => {
        this.#server.off("error", reject);
        this.#server.on("error", () => {});
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  /** Ends the server: calls that are under way get a moment to end. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#server.listening) return;
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const connection of this.#connections.values()) connection.close(stopGraceMs);
    await closed;
  }

  #accept(session: ServerHttp2Session): void {
    const connection = new GrpcConnection(session, this.#limits, this.#nowMs);
    const ofAddress = [...this.#connections.values()].filter(({ address }) => address === connection.address).length;
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    if (this.#connections.size >= maxConnections || ofAddress >= maxConnectionsPerAddress) {
      session.destroy(undefined, constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    this.#connections.set(session, connection);
    session.once("close", () => this.#connections.delete(session));
    session.setLocalWindowSize(connectionWindowBytes);
  }

  #serve(request: Http2ServerRequest, response: Http2ServerResponse): void {
    request.on("error", () => {});
    request.stream.on("error", () => {});
    const handler = this.#handlers.get(request.url.split("?", 1)[0]!);
    if (handler === undefined) answerStatus(response, Code.Unimplemented, `Method not found: ${request.url.slice(1)}`);
    else if (this.#calls >= this.#limits.maxCalls)
      answerStatus(response, Code.ResourceExhausted, "Too many calls are under way; try again later.");
    else this.#call(handler, request, response);
  }

  #call(handler: Handler, request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { stream } = request;
    this.#calls += 1;
    const connection =
      stream.session === undefined ? undefined : this.#connections.get(stream.session as ServerHttp2Session);
    connection?.callBegan();
    stream.once("close", () => {
      this.#calls -= 1;
      connection?.callEnded();
    });
    this.#watchStalls(request);
    stream.once("finish", () => discardRest(stream));
    void this.#run(handler, request, response);
  }

  async #run(handler: Handler, request: Http2ServerRequest, response: Http2ServerResponse): Promise<void> {
    try {
      const universal = universalRequestFromNodeRequest(request, response, undefined, undefined);
      const body = this.#counted(universal.body as AsyncIterable<Uint8Array>, request);
      await universalResponseToNodeResponse(await handler({ ...universal, body }), response);
    } catch {
      // The client went away, or sent what is no request: nobody waits for an answer.
      request.stream.close(constants.NGHTTP2_CANCEL);
    }
  }

  /** Counts what is held of a request: until its call ends, or until it is given up. */
  async *#counted(body: AsyncIterable<Uint8Array>, { stream }: Http2ServerRequest): AsyncGenerator<Uint8Array> {
    let held = 0;
    const release = () => {
      this.#requestBytes -= held;
      held = 0;
    };
    let isComplete = false;
    try {
      for await (const bytes of body) {
        if (this.#requestBytes + bytes.length > this.#limits.maxRequestBytes)
          throw new ConnectError("Too many large requests are under way; try again later.", Code.ResourceExhausted);
        held += bytes.length;
        this.#requestBytes += bytes.length;
        yield bytes;
      }
      isComplete = !stream.closed;
      if (isComplete) stream.once("close", release);
    } finally {
      if (!isComplete) release();
    }
  }

  /** A client that does not go on with its request, or does not take its answer, loses the call. */
  #watchStalls({ stream }: Http2ServerRequest): void {
    const { stallMs } = this.#limits;
    const stalled = () => {
      if (stream.closed) return;
      if (!stream.readableEnded || stream.headersSent) stream.close(constants.NGHTTP2_CANCEL);
      else stream.setTimeout(stallMs);
    };
    stream.setTimeout(stallMs, stalled);
  }
}

function handlersOf(limits: GrpcLimits, routes: (router: ConnectRouter) => void): ReadonlyMap<string, Handler> {
  const router = createConnectRouter({
    grpc: true,
    grpcWeb: false,
    connect: false,
    readMaxBytes: limits.maxMessageBytes,
    acceptCompression: [compressionGzip],
    compressMinBytes: neverCompressed,
  });
  routes(router);
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** Answers a call that no service has. */
function answerStatus(response: Http2ServerResponse, code: Code, text: string): void {
  const { stream } = response;
  if (stream.destroyed || stream.closed) return;
  stream.respond(
    {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": String(code),
      "grpc-message": encodeURIComponent(text.slice(0, 1_000)),
    },
    { endStream: true },
  );
  discardRest(stream);
}

/** What a client still sends after its answer is thrown away, for a moment; then the call is broken off. */
function discardRest(stream: ServerHttp2Stream): void {
  if (stream.destroyed || stream.readableEnded) return;
  stream.resume();
  const timer = setTimeout(() => stream.close(constants.NGHTTP2_NO_ERROR), stopGraceMs).unref();
  stream.once("close", () => clearTimeout(timer));
}
