import http2 from "node:http2";
import type { AddressInfo, Socket } from "node:net";
import { NetworkError } from "../NetworkError.js";
import { ConnectionLimiter, type ConnectionState, UnupgradedSocket } from "./ConnectionLimiter.js";
import { onSession } from "./onSession.js";
import { ServedSession, type SessionTimes, usualTimes } from "./ServedSession.js";
import { type GrpcMethod, serveCall } from "./serveCall.js";

/** Bounds of a server against floods of connections and calls. @spec 10 §3.1 */
export interface GrpcServerLimits {
  readonly maxSessions: number;
  readonly maxSessionsPerAddress: number;
  readonly maxConcurrentCalls: number;
  /** A session without any call is closed after this time. */
  readonly idleSessionMs: number;
  readonly handshakeMs: number;
  /** The times at which sessions are checked. */
  readonly times: Omit<SessionTimes, "maxIdleMs">;
}

/** How a server is made. @spec 10 §3.1, §5 */
export interface PeerGrpcServerOptions<Caller> {
  readonly methods: { get(path: string): GrpcMethod<Caller> | undefined };
  /** PEM texts; without them the server speaks plain text. */
  readonly tls?: {
    readonly certificate: string;
    readonly privateKey: string;
    readonly leastVersion: "TLSv1.2" | "TLSv1.3";
  };
  /** Identifies the client of a session; `undefined` refuses it. */
  readonly identify: (socket: Socket) => Caller | undefined;
  readonly limits: GrpcServerLimits;
}

/** Bounds that suit a network of some hundred peers. @spec 10 §3.1 */
export const defaultServerLimits: GrpcServerLimits = {
  maxSessions: 256,
  maxSessionsPerAddress: 64,
  maxConcurrentCalls: 100,
  idleSessionMs: 300_000,
  handshakeMs: 10_000,
  times: usualTimes,
};

/** The number of a server's connections in each state: an unfinished handshake is not a connection yet. */
export type PeerConnectionCounts = Readonly<Record<"handshake" | ConnectionState, number>>;

/**
 * A gRPC server over HTTP/2, with TLS or without.
 *
 * Over TLS every client must present a certificate; whether it is a good one, `identify` decides, since no authority
 * signs the certificates of this network.
 *
 * @spec 10 §3.1, §5
 */
export class PeerGrpcServer<Caller> implements AsyncDisposable {
  readonly #options: PeerGrpcServerOptions<Caller>;
  readonly #server: http2.Http2Server | http2.Http2SecureServer;
  readonly #sessions: ConnectionLimiter<ServedSession>;
  /** Connections over which no session has begun yet. */
  readonly #handshakes: ConnectionLimiter<UnupgradedSocket>;
  /** Takes them out, by the other end. */
  readonly #finish = new Map<string, () => void>();
  readonly #looking: NodeJS.Timeout;

  constructor(options: PeerGrpcServerOptions<Caller>) {
    this.#options = options;
    const { maxSessions: inAll, maxSessionsPerAddress: perAddress, times } = options.limits;
    this.#sessions = new ConnectionLimiter({ inAll, perAddress });
    this.#handshakes = new ConnectionLimiter({ inAll, perAddress });
    this.#server = makeServer(options);
    if (options.tls !== undefined) this.#server.prependListener("connection", (socket: Socket) => this.#begun(socket));
    onSession(this.#server, options.tls !== undefined, (http, socket) => this.#accept(http, socket));
    this.#server.on("sessionError", () => {});
    this.#server.on("connection", (socket: Socket) => socket.on("error", () => {}));
    this.#looking = setInterval(() => {
      for (const session of this.#sessions) session.look();
    }, times.lookMs).unref();
  }

  /** Returns the counts of its connections by state. */
  get connections(): PeerConnectionCounts {
    return { handshake: this.#handshakes.size, ...this.#sessions.counts };
  }

  /**
   * Begins to listen.
   *
   * @param port 0 takes any free one
   * @returns the port
   * @throws {NetworkError} `portInUse`, or `cannotListen` with the reason
   */
  listen(port: number, host?: string): Promise<number> {
    return new Promise((resolve, reject) => {
      const fail = (error: NodeJS.ErrnoException) => {
        const code = error.code ?? error.message;
        reject(
          new NetworkError(
            code === "EADDRINUSE" ? { code: "portInUse", port } : { code: "cannotListen", port, reason: code },
          ),
        );
      };
      this.#server.once("error", fail);
      this.#server.listen({ port, host }, () => {
        this.#server.off("error", fail);
        this.#server.on("error", () => {});
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    clearInterval(this.#looking);
    for (const session of this.#sessions) session.end();
    for (const held of this.#handshakes) held.evict();
    await closed;
  }

  /** A handshake has begun: it has to end in time, and it gives way where too many have not ended. */
  #begun(socket: Socket): void {
    const held = new UnupgradedSocket(socket, true);
    const end = endOf(socket);
    const timer = setTimeout(() => socket.destroy(), this.#options.limits.handshakeMs).unref();
    const finish = () => {
      clearTimeout(timer);
      this.#handshakes.leave(held);
      if (this.#finish.get(end) === finish) this.#finish.delete(end);
    };
    this.#handshakes.take(held);
    this.#finish.set(end, finish);
    socket.once("close", finish);
  }

  #accept(http: http2.ServerHttp2Session, socket: Socket): void {
    const { limits, identify, methods } = this.#options;
    this.#finish.get(endOf(socket))?.();
    const session: ServedSession = new ServedSession(
      { http, socket, countsAddress: true },
      { ...limits.times, maxIdleMs: limits.idleSessionMs },
      {
        onState: (state) => this.#sessions.become(session, state),
        onGone: () => this.#sessions.leave(session),
      },
    );
    const caller = identify(socket);
    if (caller === undefined) {
      session.end(http2.constants.NGHTTP2_INADEQUATE_SECURITY);
      return;
    }
    if (this.#sessions.take(session) !== undefined) {
      session.end(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    http.setLocalWindowSize(sessionWindowBytes);
    http.on("stream", (stream, headers) => {
      void serveCall(stream, headers, methods.get(headers[":path"] ?? ""), caller);
    });
  }
}

/** The other end of a connection. */
function endOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

const streamWindowBytes = 262_144;
const sessionWindowBytes = 1_048_576;

function makeServer<Caller>({ tls, limits }: PeerGrpcServerOptions<Caller>) {
  const settings = {
    settings: {
      maxConcurrentStreams: limits.maxConcurrentCalls,
      initialWindowSize: streamWindowBytes,
      maxHeaderListSize: 16_384,
      enablePush: false,
    },
    maxSessionMemory: 10,
    maxHeaderListPairs: 64,
  };
  if (tls === undefined) return http2.createServer(settings);
  return http2.createSecureServer({
    ...settings,
    cert: tls.certificate,
    key: tls.privateKey,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: tls.leastVersion,
    allowHTTP1: false,
    handshakeTimeout: limits.handshakeMs,
  });
}
