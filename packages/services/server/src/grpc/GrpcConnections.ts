import type { ServerResponse } from "node:http";
import { constants, type ServerHttp2Session } from "node:http2";
import type { Socket } from "node:net";
import type { TrustedProxies } from "@vedette/config";
import {
  ConnectionLimiter,
  type ConnectionState,
  type NewSession,
  ServedSession,
  type SessionWatcher,
  type UnupgradedSocket,
} from "@vedette/network";
import { type GrpcLimits, sessionTimesOf } from "./limits.js";
import { PingStrikes } from "./PingStrikes.js";
import { WebConnection } from "./WebConnection.js";

const connectionWindowBytes = 1_048_576;

/** The options with which connections are accepted. */
export interface GrpcConnectionsOptions {
  readonly limits: GrpcLimits;
  /** Proxies with connections of many clients, which are not bounded by address. */
  readonly proxies: TrustedProxies;
  readonly nowMs: () => number;
}

/** The connections of a gRPC server. @spec 50 §3.1 */
export class GrpcConnections {
  /** Connections that have not shown their protocol. */
  readonly undecided: ConnectionLimiter<UnupgradedSocket>;
  readonly #options: GrpcConnectionsOptions;
  readonly #places: ConnectionLimiter<GrpcConnection | WebConnection>;
  readonly #bySocket = new Map<ServerHttp2Session | Socket, GrpcConnection | WebConnection>();
  readonly #looking: NodeJS.Timeout;

  constructor(options: GrpcConnectionsOptions) {
    this.#options = options;
    const { maxConnections: inAll, maxConnectionsPerAddress: perAddress } = options.limits;
    this.#places = new ConnectionLimiter({ inAll, perAddress });
    this.undecided = new ConnectionLimiter({ inAll, perAddress });
    this.#looking = setInterval(() => this.#look(), sessionTimesOf(options.limits).lookMs).unref();
  }

  /** The number of connections in each state; those that have sent nothing yet are idle. */
  get counts(): Readonly<Record<ConnectionState, number>> {
    const { idle, ...rest } = this.#places.counts;
    return { idle: idle + this.undecided.size, ...rest };
  }

  acceptHttp2(http: ServerHttp2Session, socket: Socket): void {
    const { limits, nowMs } = this.#options;
    const countsAddress = this.#countsAddress(socket.remoteAddress);
    const connection: GrpcConnection = new GrpcConnection({ http, socket, countsAddress }, limits, nowMs, {
      onState: (state) => this.#places.become(connection, state),
      onGone: () => this.#forget(connection, http),
    });
    if (this.#places.take(connection) !== undefined) {
      connection.end(constants.NGHTTP2_ENHANCE_YOUR_CALM);
      return;
    }
    this.#bySocket.set(http, connection);
    http.setLocalWindowSize(connectionWindowBytes);
  }

  acceptHttp1(socket: Socket): void {
    const connection: WebConnection = new WebConnection(
      socket,
      this.#countsAddress(socket.remoteAddress),
      this.#options.limits,
      (state) => this.#places.become(connection, state),
    );
    if (this.#places.take(connection) !== undefined) {
      socket.destroy();
      return;
    }
    this.#bySocket.set(socket, connection);
    socket.once("close", () => this.#forget(connection, socket));
  }

  /** The address at the other end of a session. */
  addressOf(http: ServerHttp2Session | undefined): string | undefined {
    return http === undefined ? undefined : this.#bySocket.get(http)?.address;
  }

  /** A request came over HTTP/1.1. @returns the address at the other end */
  serve(socket: Socket, response: ServerResponse): string | undefined {
    const connection = this.#bySocket.get(socket);
    if (connection instanceof WebConnection) connection.serves(response);
    return connection?.address;
  }

  /** Ends all; running calls get this time. */
  close(graceMs: number): void {
    clearInterval(this.#looking);
    for (const held of this.undecided) held.evict();
    for (const connection of this.#places) connection.close(graceMs);
  }

  #countsAddress(address: string | undefined): boolean {
    return !this.#options.proxies.has(address);
  }

  #look(): void {
    for (const connection of this.#places) if (connection instanceof GrpcConnection) connection.look();
  }

  #forget(connection: GrpcConnection | WebConnection, key: ServerHttp2Session | Socket): void {
    this.#places.leave(connection);
    this.#bySocket.delete(key);
  }
}

/** How long answers may go on to a client that is sent away. */
const abuseGraceMs = 30_000;

/**
 * One client's connection: ends when it grows old or when its client checks it too often.
 *
 * @spec 50 §3.1
 */
class GrpcConnection extends ServedSession {
  readonly #nowMs: () => number;
  readonly #strikes: PingStrikes;
  #isSentAway = false;

  constructor(begun: NewSession, limits: GrpcLimits, nowMs: () => number, watcher: SessionWatcher) {
    const strikes = new PingStrikes(limits.permitKeepAliveMs);
    super(begun, sessionTimesOf(limits), { ...watcher, onRequested: () => strikes.checkSent() });
    this.#nowMs = nowMs;
    this.#strikes = strikes;
    const { http } = begun;
    http.on("ping", () => this.#pinged());
    http.on("remoteSettings", () => strikes.settingsCame());
    const age = setTimeout(() => this.close(limits.ageGraceMs), limits.maxAgeMs).unref();
    http.once("close", () => clearTimeout(age));
  }

  #pinged(): void {
    if (this.#isSentAway || this.http.destroyed) return;
    if (!this.#strikes.pingCame(this.http.socket.bytesWritten, this.#nowMs())) return;
    this.#isSentAway = true;
    this.http.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from("too_many_pings"));
    this.close(abuseGraceMs);
  }
}
