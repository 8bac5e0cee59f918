import type { Socket } from "node:net";
import type { GrpcLimits } from "./limits.js";

/**
 * A browser's connection, which speaks HTTP/1.1: it ends when it has no call for long, and when it grows old.
 *
 * @spec 50 §3.1
 */
export class WebConnection {
  readonly address: string;
  readonly #socket: Socket;
  readonly #limits: GrpcLimits;
  readonly #age: NodeJS.Timeout;
  #idle: NodeJS.Timeout;
  #calls = 0;
  #isClosing = false;

  constructor(socket: Socket, limits: GrpcLimits) {
    this.#socket = socket;
    this.#limits = limits;
    this.address = socket.remoteAddress ?? "";
    this.#age = setTimeout(() => this.close(limits.ageGraceMs), limits.maxAgeMs).unref();
    // The head of a request, too, has to come within this time: what trickles in is no activity.
    this.#idle = this.#waitIdle();
    socket.on("error", () => {});
    socket.once("close", () => {
      clearTimeout(this.#age);
      clearTimeout(this.#idle);
    });
  }

  callBegan(): void {
    this.#calls += 1;
    clearTimeout(this.#idle);
  }

  callEnded(): void {
    this.#calls -= 1;
    if (this.#calls > 0) return;
    if (this.#isClosing) this.#socket.destroySoon();
    else if (!this.#socket.destroyed) this.#idle = this.#waitIdle();
  }

  /** A call that is under way may go on for a while. */
  close(graceMs: number): void {
    this.#isClosing = true;
    if (this.#calls === 0) this.#socket.destroy();
    else setTimeout(() => this.#socket.destroy(), graceMs).unref();
  }

  #waitIdle(): NodeJS.Timeout {
    const { maxIdleMs, stallMs } = this.#limits;
    return setTimeout(() => this.#socket.destroy(), Math.min(maxIdleMs, stallMs)).unref();
  }
}
