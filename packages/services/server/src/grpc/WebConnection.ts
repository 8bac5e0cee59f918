import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { type ConnectionState, UnupgradedSocket } from "@vedette/network";
import type { GrpcLimits } from "./limits.js";

/**
 * A browser's connection, which speaks HTTP/1.1: it ends when it has no call for long, and when it grows old.
 *
 * @spec 50 §3.1
 */
export class WebConnection extends UnupgradedSocket {
  readonly address: string;
  readonly #socket: Socket;
  readonly #limits: GrpcLimits;
  readonly #onState: (state: ConnectionState) => void;
  readonly #age: NodeJS.Timeout;
  #idle: NodeJS.Timeout;
  #grace: NodeJS.Timeout | undefined;
  #calls = 0;
  #isClosing = false;

  /** @param countsAddress whether its address has a limit of its own */
  constructor(socket: Socket, countsAddress: boolean, limits: GrpcLimits, onState: (state: ConnectionState) => void) {
    super(socket, countsAddress);
    this.#socket = socket;
    this.#limits = limits;
    this.#onState = onState;
    this.address = socket.remoteAddress ?? "";
    this.#age = setTimeout(() => this.close(limits.ageGraceMs), limits.maxAgeMs).unref();
    // The head of a request, too, has to come within this time: what trickles in is no activity.
    this.#idle = this.#waitIdle();
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(this.#age);
      clearTimeout(this.#idle);
      clearTimeout(this.#grace);
    });
  }

  /** A request has begun; it is over with its answer. */
  serves(response: ServerResponse): void {
    this.#calls += 1;
    clearTimeout(this.#idle);
    this.#onState("busy");
    response.once("close", () => this.#served());
  }

  /** A call that is under way may go on for a while. */
  close(graceMs: number): void {
    this.#isClosing = true;
    if (this.#calls === 0) this.#socket.destroy();
    else this.#grace = setTimeout(() => this.#socket.destroy(), graceMs).unref();
  }

  #served(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    this.#onState("idle");
    if (this.#isClosing) this.#socket.destroySoon();
    else if (!this.#socket.destroyed) this.#idle = this.#waitIdle();
  }

  #waitIdle(): NodeJS.Timeout {
    const { maxIdleMs, stallMs } = this.#limits;
    return setTimeout(() => this.#socket.destroy(), Math.min(maxIdleMs, stallMs)).unref();
  }
}
