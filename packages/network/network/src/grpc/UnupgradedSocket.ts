import type { Socket } from "node:net";
import { addressKey, isOwnMachine } from "../address/addressKey.js";
import type { LimitedConnection } from "./ConnectionLimiter.js";

/** A connection that is no session of HTTP/2. */
export class UnupgradedSocket implements LimitedConnection {
  readonly isOwnMachine: boolean;
  readonly countedFor: string | undefined;
  readonly #held: Socket;

  /** @param countsAddress whether its address has a limit of its own */
  constructor(socket: Socket, countsAddress: boolean) {
    const { remoteAddress: address = "" } = socket;
    this.#held = socket;
    this.isOwnMachine = isOwnMachine(address);
    this.countedFor = countsAddress ? addressKey(address) : undefined;
  }

  evict(): void {
    this.#held.destroy();
  }
}
