import { createServer as createHttp1Server, type Server as Http1Server } from "node:http";
import {
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
} from "node:http2";
import type { AddressInfo, Server } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import {
  Code,
  ConnectError,
  type ConnectRouter,
  createConnectRouter,
  createContextValues,
  type Interceptor,
} from "@connectrpc/connect";
import {
  compressionGzip,
  universalRequestFromNodeRequest,
  universalResponseToNodeResponse,
} from "@connectrpc/connect-node";
import { TrustedProxies } from "@vedette/config";
import { addressKey, type ConnectionState, onSession } from "@vedette/network";
import { CallPlaces, type HeldCall } from "@vedette/queries";
import { isCrossOrigin } from "../http/guardRequests.js";
import { HostList } from "../http/HostList.js";
import { UnsentAnswers } from "../http/UnsentAnswers.js";
import { TurnQueue } from "../limits/TurnQueue.js";
import { AnswerRooms, callRoom, type RoomTaker } from "./AnswerRooms.js";
import { allowBrowsers } from "./browserAccess.js";
import { type CallChannel, discardRest, http1Channel, http2Channel } from "./CallChannel.js";
import { callClient } from "./callClient.js";
import { GrpcConnections } from "./GrpcConnections.js";
import { heldAnswer } from "./heldAnswer.js";
import { endAfter, keepDeadlines } from "./keepDeadlines.js";
import { type GrpcLimits, maxHeadBytes, maxHeaders } from "./limits.js";
import { blamingSender } from "./malformedMessage.js";
import { sharedPort } from "./sharedPort.js";

/** The options of a gRPC server. */
export interface GrpcServerOptions {
  readonly limits: GrpcLimits;
  /** Proxies that are believed about their clients' addresses; left out: none. */
  readonly proxies?: TrustedProxies | undefined;
  /** Host names that it accepts, see `HostList`; none means any. */
  readonly hosts?: readonly string[] | undefined;
  /** Registers the services. */
  readonly routes: (router: ConnectRouter) => void;
  /** Whether browsers are served, too: gRPC-web and Connect, over HTTP/1.1 as well. */
  readonly web: boolean;
  readonly nowMs: () => number;
  /** Answers that are not delivered yet, of all servers together; left out: of this one. */
  readonly unsent?: UnsentAnswers | undefined;
  /** Interceptors beside those that every server has; the first one runs first. */
  readonly interceptors?: readonly Interceptor[];
  /** Called after every call of a known method. */
  readonly onCall?: ((path: string, milliseconds: number) => void) | undefined;
}

type Handler = ReturnType<typeof createConnectRouter>["handlers"][number];

/** Longer than any message may be: answers are never compressed. @spec 50 §3.1 */
const neverCompressed = 0xffff_ffff;
const streamWindowBytes = 262_144;
/** Calls that begin in one turn of the event loop: each takes up to a millisecond, and others are served between. */
const callsPerTurn = 16;
/** How long calls may go on when the node stops. */
const stopGraceMs = 500;

/**
 * A gRPC server over plaintext HTTP/2; on the public port also for browsers.
 *
 * @spec 50 §3.1
 */
export class GrpcServer implements AsyncDisposable {
  readonly #limits: GrpcLimits;
  readonly #proxies: TrustedProxies;
  readonly #hosts: HostList;
  readonly #nowMs: () => number;
  readonly #onCall: GrpcServerOptions["onCall"];
  readonly #handlers: ReadonlyMap<string, Handler>;
  readonly #isWeb: boolean;
  readonly #listener: Server;
  readonly #connections: GrpcConnections;
  readonly #unsent: UnsentAnswers;
  readonly #rooms: AnswerRooms;
  readonly #places: CallPlaces;
  readonly #turns = new TurnQueue(callsPerTurn);
  readonly #working = new Set<Promise<void>>();

  constructor(options: GrpcServerOptions) {
    const { limits, proxies = TrustedProxies.none, hosts = [], web, nowMs, onCall } = options;
    this.#limits = limits;
    this.#proxies = proxies;
    this.#hosts = new HostList(hosts.length === 0 ? ["*"] : hosts);
    this.#nowMs = nowMs;
    this.#onCall = onCall;
    this.#unsent = options.unsent ?? new UnsentAnswers();
    this.#rooms = new AnswerRooms({ nowMs });
    this.#places = new CallPlaces({ maxCalls: limits.maxCalls, maxBytes: limits.maxRequestBytes });
    this.#isWeb = web;
    this.#handlers = handlersOf(options);
    this.#connections = new GrpcConnections({ limits, proxies, nowMs });
    const http2 = this.#http2Server();
    const { undecided } = this.#connections;
    const { firstBytesMs } = limits;
    this.#listener = web ? sharedPort({ http2, http1: this.#http1Server(), undecided, firstBytesMs, proxies }) : http2;
    this.#listener.on("connection", (socket) => socket.setKeepAlive(true, limits.tcpKeepAliveMs));
  }

  /** Returns the counts of its connections by state. */
  get connections(): Readonly<Record<ConnectionState, number>> {
    return this.#connections.counts;
  }

  /** Calls that are under way. */
  get calls(): number {
    return this.#places.calls;
  }

  /** Bytes of the requests that are being read or worked on. */
  get requestBytes(): number {
    return this.#places.bytes;
  }

  /** Begins to listen. @param port 0 takes any free one @returns the port */
  listen(port: number, host: string): Promise<number> {
    return new Promise((resolve, reject) => {
      this.#listener.once("error", reject);
      this.#listener.listen(port, host, () => {
        this.#listener.off("error", reject);
        this.#listener.on("error", () => {});
        resolve((this.#listener.address() as AddressInfo).port);
      });
    });
  }

  /** Ends the server: calls get a moment to end, and then abandoned work a moment more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#connections.close(stopGraceMs);
    if (!this.#listener.listening) return;
    const closed = new Promise<void>((resolve) => this.#listener.close(() => resolve()));
    await closed;
    await Promise.race([Promise.all(this.#working), sleep(stopGraceMs, undefined, { ref: false })]);
  }

  #http2Server(): Http2Server {
    const server = createServer(
      {
        settings: {
          maxConcurrentStreams: this.#limits.maxCallsPerConnection,
          initialWindowSize: streamWindowBytes,
          maxHeaderListSize: maxHeadBytes,
          enablePush: false,
        },
        maxHeaderListPairs: maxHeaders,
      },
      (request, response) => this.#serveHttp2(request, response),
    );
    onSession(server, false, (http, socket) => this.#connections.acceptHttp2(http, socket));
    server.on("sessionError", () => {});
    server.on("connection", (socket) => socket.on("error", () => {}));
    return server;
  }

  #http1Server(): Http1Server {
    // A server that does not listen itself minds no timeouts: connections have their own.
    const server = createHttp1Server({ maxHeaderSize: maxHeadBytes, keepAliveTimeout: 0 }, (request, response) => {
      const address = this.#connections.serve(request.socket, response);
      this.#serve(http1Channel(request, response), address, (status, text) => {
        response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
        response.end(text);
      });
    });
    server.maxHeadersCount = maxHeaders;
    server.on("connection", (socket) => this.#connections.acceptHttp1(socket));
    server.on("clientError", (_error, socket) => socket.destroy());
    return server;
  }

  #serveHttp2(request: Http2ServerRequest, response: Http2ServerResponse): void {
    const { session } = request.stream;
    const address = this.#connections.addressOf(session as ServerHttp2Session | undefined);
    const codes = {
      403: Code.PermissionDenied,
      404: Code.Unimplemented,
      415: Code.Unimplemented,
      503: Code.ResourceExhausted,
    } as const;
    this.#serve(http2Channel(request, response), address, (status, text) =>
      answerStatus(response, codes[status], text),
    );
  }

  #serve(
    channel: CallChannel,
    address: string | undefined,
    refuse: (status: 403 | 404 | 415 | 503, text: string) => void,
  ): void {
    const { request } = channel;
    const refusal = this.#refusalOf(request.headers);
    if (refusal !== undefined) {
      refuse(403, refusal);
      return;
    }
    if (this.#isWeb && allowBrowsers(channel)) return;
    const url = request.url ?? "";
    const handler = this.#handlers.get(url.split("?", 1)[0]!);
    if (handler === undefined) refuse(404, `Method not found: ${url.slice(1, 1_000)}`);
    else if (request.httpVersionMajor < 2 && isGrpc(request.headers["content-type"]))
      refuse(415, "gRPC needs HTTP/2; over HTTP/1.1 there are gRPC-web and Connect.");
    else {
      const client = this.#proxies.clientOf(address, request.headers);
      const place = this.#places.take(client, () => channel.cancel());
      if (place === undefined) refuse(503, "Too many calls are under way; try again later.");
      else this.#call(handler, channel, client, place);
    }
  }

  /** The rules of `guardRequests`, by which no page can send requests to the operator's port. @spec 50 §1.19 */
  #refusalOf(headers: IncomingHttpHeaders): string | undefined {
    if (!this.#hosts.has(headers[":authority"] ?? headers.host))
      return "This port does not answer to that name; the operator lists names in api-server.hosts.";
    return !this.#isWeb && isCrossOrigin(headers) ? "This port is not for web pages." : undefined;
  }

  #call(handler: Handler, channel: CallChannel, client: string | undefined, place: HeldCall): void {
    const beganMs = this.#nowMs();
    channel.onClose(() => {
      place.leave();
      this.#onCall?.(handler.requestPath, this.#nowMs() - beganMs);
    });
    channel.watchStalls(this.#limits.stallMs);
    this.#turns.begin(() => {
      if (channel.isClosed()) return;
      const work = this.#run(handler, channel, client, place);
      this.#working.add(work);
      void work.finally(() => this.#working.delete(work));
    }, client);
  }

  async #run(handler: Handler, channel: CallChannel, client: string | undefined, place: HeldCall) {
    const reader: RoomTaker = {
      client: client === undefined ? channel.connection : addressKey(client),
      isOver: channel.isClosed,
      cutOff: () => channel.cancel(),
    };
    channel.onClose(() => this.#rooms.leave(reader));
    try {
      const room = (bytes: number) => this.#rooms.take(reader, bytes);
      const context = createContextValues().set(callClient, client).set(callRoom, room);
      const universal = universalRequestFromNodeRequest(channel.request, channel.response, undefined, context);
      const body = counted(universal.body as AsyncIterable<Uint8Array>, channel, place);
      const answer = await handler({ ...universal, body });
      const held = heldAnswer(await blamingSender(answer), reader, channel, {
        unsent: this.#unsent,
        rooms: this.#rooms,
      });
      await universalResponseToNodeResponse(held, channel.response);
    } catch {
      // The client went away, or sent what is no request: an answer would have no reader.
      channel.cancel();
    }
  }
}

/** Counts what is held of a request: until its call ends, or until it is given up. */
async function* counted(
  body: AsyncIterable<Uint8Array>,
  channel: CallChannel,
  place: HeldCall,
): AsyncGenerator<Uint8Array> {
  let isComplete = false;
  try {
    for await (const bytes of body) {
      if (!place.hold(bytes.length))
        throw new ConnectError("Too many large requests are under way; try again later.", Code.ResourceExhausted);
      yield bytes;
    }
    isComplete = !channel.isClosed();
  } finally {
    if (!isComplete) place.release();
  }
}

function handlersOf({ limits, routes, web, interceptors = [] }: GrpcServerOptions): ReadonlyMap<string, Handler> {
  const router = createConnectRouter({
    grpc: true,
    grpcWeb: web,
    connect: web,
    readMaxBytes: limits.maxMessageBytes,
    // They would be kept, each as an object.
    binaryOptions: { readUnknownFields: false },
    acceptCompression: [compressionGzip],
    compressMinBytes: neverCompressed,
    interceptors: [keepDeadlines, endAfter(limits.callMs), ...interceptors],
  });
  routes(router);
  return new Map(router.handlers.map((handler) => [handler.requestPath, handler]));
}

/** Whether it is gRPC itself, not its form for browsers. */
function isGrpc(contentType: string | undefined): boolean {
  return /^application\/grpc($|[+;])/i.test(contentType ?? "");
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
      "grpc-message": encodeURIComponent(text),
    },
    { endStream: true },
  );
  discardRest(stream);
}
