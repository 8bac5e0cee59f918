import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { TrustedProxies } from "../address/TrustedProxies.js";
import { countedFor, type HttpLimits } from "./HttpLimits.js";

/**
 * Bounds the open sockets of an HTTP server. A new one always gets in, as long as one is idle: thousands of sockets
 * that ask nothing keep nobody out. A trusted proxy's sockets are many clients', and counted in all only.
 */
export class ConnectionGuard {
  readonly #limits: Pick<HttpLimits, "connections" | "connectionsPerAddress" | "limitsOwnMachine">;
  readonly #proxies: TrustedProxies;
  /** Requests under way on each socket. */
  readonly #open = new Map<Socket, number>();
  /** Those without a request, the one that has been so longest first. */
  readonly #idle = new Set<Socket>();
  readonly #perAddress = new Map<string, number>();

  constructor(
    limits: Pick<HttpLimits, "connections" | "connectionsPerAddress" | "limitsOwnMachine">,
    proxies = TrustedProxies.none,
  ) {
    this.#limits = limits;
    this.#proxies = proxies;
  }

  watch(server: Server): void {
    server.on("connection", (socket: Socket) => this.#opened(socket));
    server.on("request", (request: IncomingMessage, response: ServerResponse) => {
      this.#started(request.socket);
      response.once("close", () => this.#ended(request.socket));
    });
    // From then on the socket is someone else's, who has limits of his own.
    server.on("upgrade", (request: IncomingMessage) => this.#started(request.socket));
  }

  #opened(socket: Socket): void {
    // A request that offered an upgrade to something else is given back to the server with its socket.
    if (this.#open.has(socket)) {
      this.#ended(socket);
      return;
    }
    const { remoteAddress: address } = socket;
    const key = this.#proxies.has(address) ? undefined : countedFor(address, this.#limits);
    const ofAddress = key === undefined ? 0 : (this.#perAddress.get(key) ?? 0) + 1;
    if (ofAddress > this.#limits.connectionsPerAddress || !this.#makeRoom()) {
      socket.destroy();
      return;
    }
    if (key !== undefined) this.#perAddress.set(key, ofAddress);
    this.#open.set(socket, 0);
    this.#idle.add(socket);
    socket.once("close", () => this.#closed(socket, key));
  }

  #makeRoom(): boolean {
    if (this.#open.size < this.#limits.connections) return true;
    for (const oldest of this.#idle) {
      this.#idle.delete(oldest);
      this.#open.delete(oldest);
      oldest.destroy();
      return true;
    }
    return false;
  }

  #started(socket: Socket): void {
    const requests = this.#open.get(socket);
    if (requests === undefined) return;
    this.#open.set(socket, requests + 1);
    this.#idle.delete(socket);
  }

  #ended(socket: Socket): void {
    const requests = this.#open.get(socket);
    if (requests === undefined) return;
    this.#open.set(socket, requests - 1);
    if (requests === 1) this.#idle.add(socket);
  }

  #closed(socket: Socket, key: string | undefined): void {
    this.#open.delete(socket);
    this.#idle.delete(socket);
    if (key === undefined) return;
    const left = (this.#perAddress.get(key) ?? 1) - 1;
    if (left > 0) this.#perAddress.set(key, left);
    else this.#perAddress.delete(key);
  }
}
