import http2 from "node:http2";
import type { Socket } from "node:net";
import { type AddressInfo, isIPv6 } from "node:net";
import { NetworkError } from "../NetworkError.js";
import { endLater } from "./endLater.js";
import { type GrpcMethod, serveCall } from "./serveCall.js";

/** Bounds of a server against floods of connections and calls. @spec 10 §3.1 */
export interface GrpcServerLimits {
  readonly maxSessions: number;
  readonly maxSessionsPerAddress: number;
  readonly maxConcurrentCalls: number;
  /** A session without any call is closed after this time. */
  readonly idleSessionMs: number;
  readonly handshakeMs: number;
}

/** How a server is made. @spec 10 §3.1, §5 */
export interface GrpcServerOptions<Caller> {
  readonly methods: ReadonlyMap<string, GrpcMethod<Caller>>;
  /** PEM texts; without them the server speaks plain text. */
  readonly tls?: { readonly certificate: string; readonly privateKey: string };
  /** Who has opened a session; `undefined` refuses it. */
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
};

interface Session<Caller> {
  readonly http: http2.ServerHttp2Session;
  readonly caller: Caller;
  readonly address: string;
  calls: number;
  idleSince: number;
}

/**
 * A gRPC server over HTTP/2, with TLS or without.
 *
 * Over TLS every client must present a certificate; whether it is a good one, `identify` decides, since no authority
 * signs the certificates of this network.
 *
 * @spec 10 §3.1, §5
 */
export class GrpcServer<Caller> implements AsyncDisposable {
  readonly #options: GrpcServerOptions<Caller>;
  readonly #server: http2.Http2Server | http2.Http2SecureServer;
  readonly #sessions = new Set<Session<Caller>>();
  readonly #sockets = new Set<Socket>();
  #counter = 0;

  constructor(options: GrpcServerOptions<Caller>) {
    this.#options = options;
    this.#server = makeServer(options);
    this.#server.on("session", (session) => this.#accept(session));
    this.#server.on("sessionError", () => {});
    this.#server.on("connection", (socket: Socket) => this.#track(socket));
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
      this.#server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
        this.#server.off("error", fail);
        this.#server.on("error", () => {});
        resolve((this.#server.address() as AddressInfo).port);
      });
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    endLater(() => {
      for (const session of this.#sessions) session.http.destroy();
      for (const socket of this.#sockets) socket.destroy();
    });
    await closed;
  }

  /** Raw sockets are bounded too: one whose TLS handshake never ends is no session yet. */
  #track(socket: Socket): void {
    if (this.#sockets.size >= 2 * this.#options.limits.maxSessions) {
      socket.destroy();
      return;
    }
    this.#sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => this.#sockets.delete(socket));
  }

  #accept(http: http2.ServerHttp2Session): void {
    http.on("error", () => {});
    const { limits, identify } = this.#options;
    const address = networkOf(http.socket.remoteAddress);
    if (!this.#makeRoom(address)) {
      endLater(() => http.destroy(undefined, http2.constants.NGHTTP2_ENHANCE_YOUR_CALM));
      return;
    }
    const caller = identify(http.socket);
    if (caller === undefined) {
      endLater(() => http.destroy(undefined, http2.constants.NGHTTP2_INADEQUATE_SECURITY));
      return;
    }
    const session: Session<Caller> = { http, caller, address, calls: 0, idleSince: this.#counter++ };
    this.#sessions.add(session);
    http.once("close", () => this.#sessions.delete(session));
    http.setTimeout(limits.idleSessionMs, () => http.close());
    http.setLocalWindowSize(sessionWindowBytes);
    http.on("stream", (stream, headers) => {
      session.calls++;
      stream.once("close", () => {
        session.calls--;
        session.idleSince = this.#counter++;
      });
      const method = this.#options.methods.get(headers[":path"] ?? "");
      void serveCall(stream, headers, method, session.caller);
    });
  }

  /** Closes the session that has been idle longest, where the server or an address has too many. */
  #makeRoom(address: string): boolean {
    const { maxSessions, maxSessionsPerAddress } = this.#options.limits;
    let ofAddress = 0;
    for (const session of this.#sessions) if (session.address === address) ofAddress++;
    const crowded = ofAddress >= maxSessionsPerAddress;
    if (!crowded && this.#sessions.size < maxSessions) return true;
    let oldest: Session<Caller> | undefined;
    for (const session of this.#sessions) {
      if (session.calls > 0 || (crowded && session.address !== address)) continue;
      if (oldest === undefined || session.idleSince < oldest.idleSince) oldest = session;
    }
    if (oldest === undefined) return false;
    const { http } = oldest;
    this.#sessions.delete(oldest);
    endLater(() => http.destroy());
    return true;
  }
}

const streamWindowBytes = 262_144;
const sessionWindowBytes = 1_048_576;

function makeServer<Caller>({ tls, limits }: GrpcServerOptions<Caller>) {
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
    minVersion: "TLSv1.2",
    allowHTTP1: false,
    handshakeTimeout: limits.handshakeMs,
  });
}

/** The address that is counted: a host of IPv6 commonly owns its whole /64. */
function networkOf(address: string | undefined): string {
  if (address === undefined) return "";
  if (!isIPv6(address) || address.includes(".")) return address;
  return address.split(":").slice(0, 4).join(":");
}
