import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TrustedProxies } from "@vedette/config";
import { ConnectionLimiter, type ConnectionState, isOwnMachine, type LimitedConnection } from "@vedette/network";
import { countedFor } from "@vedette/queries/events";
import type { HttpLimits } from "./HttpLimits.js";

interface OpenSocket extends LimitedConnection {
  /** Under way. */
  requests: number;
}

/**
 * Limits the open sockets of an HTTP server. A new socket replaces an idle one, so that thousands of idle sockets do
 * not keep other clients out. A trusted proxy's sockets serve many clients and have no limit by address.
 */
export class ConnectionGuard {
  readonly #limits: Pick<HttpLimits, "limitsOwnMachine">;
  readonly #proxies: TrustedProxies;
  readonly #places: ConnectionLimiter<OpenSocket>;
  readonly #open = new Map<Socket, OpenSocket>();
  #isEnding = false;

  constructor(
    limits: Pick<HttpLimits, "connections" | "connectionsPerAddress" | "limitsOwnMachine">,
    proxies = TrustedProxies.none,
  ) {
    this.#limits = limits;
    this.#proxies = proxies;
    this.#places = new ConnectionLimiter({ inAll: limits.connections, perAddress: limits.connectionsPerAddress });
  }

  /** How many sockets there are of each state. */
  get counts(): Readonly<Record<ConnectionState, number>> {
    return this.#places.counts;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#opened(socket));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#started(request.socket);
      response.on("close", () => this.#ended(request.socket));
    });
    // From then on the upgrade's handler owns the socket and applies its own limits.
    server.on("upgrade", (request: IncomingMessage) => this.#started(request.socket));
  }

  /** Ends each socket as soon as its requests are answered, and all others after the grace period. */
  end(graceMs: number): void {
    this.#isEnding = true;
    for (const [socket, { requests }] of this.#open) if (requests === 0) socket.destroy();
    setTimeout(() => {
      for (const socket of this.#open.keys()) socket.destroy();
    }, graceMs).unref();
  }

  #opened(socket: Socket): void {
    // A request that offered an upgrade to something else is given back to the server with its socket.
    if (this.#open.has(socket)) {
      this.#ended(socket);
      return;
    }
    const { remoteAddress: address = "" } = socket;
    const open: OpenSocket = {
      countedFor: this.#proxies.has(address) ? undefined : countedFor(address, this.#limits),
      isOwnMachine: isOwnMachine(address),
      requests: 0,
      evict: () => void socket.destroy(),
    };
    if (this.#places.take(open) !== undefined) {
      socket.destroy();
      return;
    }
    this.#open.set(socket, open);
    socket.once("close", () => {
      this.#open.delete(socket);
      this.#places.leave(open);
    });
  }

  #started(socket: Socket): void {
    const open = this.#open.get(socket);
    if (open === undefined) return;
    open.requests += 1;
    this.#places.become(open, "busy");
  }

  #ended(socket: Socket): void {
    const open = this.#open.get(socket);
    if (open === undefined) return;
    open.requests -= 1;
    if (open.requests > 0) return;
    if (this.#isEnding) socket.destroySoon();
    else this.#places.become(open, "idle");
  }
}
