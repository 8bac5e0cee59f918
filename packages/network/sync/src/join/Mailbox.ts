import type { Peer } from "@vedette/network";
import type { Block } from "@vedette/protocol";

/**
 * Hands messages of peers to the task that waits for them. Drops messages that no task wants; refuses when full.
 *
 * @spec 40 §3.5
 */
export class Mailbox<Message> {
  readonly #capacity: number;
  readonly #messages: Message[] = [];
  #isWanted: ((message: Message) => boolean) | undefined;
  #take: ((message: Message | undefined) => void) | undefined;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  /** Whether a filter is set, so that messages can be taken. */
  get isOpen(): boolean {
    return this.#isWanted !== undefined;
  }

  /** Sets the filter for messages; initially, and without an argument, none is kept. Unwanted ones cost no memory. */
  want(isWanted?: (message: Message) => boolean): void {
    this.#isWanted = isWanted;
    this.#messages.length = 0;
  }

  /** @returns whether the message was taken */
  put(message: Message): boolean {
    if (this.#isWanted?.(message) !== true) return false;
    const take = this.#take;
    if (take !== undefined) {
      this.#take = undefined;
      take(message);
      return true;
    }
    if (this.#messages.length >= this.#capacity) return false;
    this.#messages.push(message);
    return true;
  }

  /** Wakes the waiting task, without a message. */
  nudge(): void {
    const take = this.#take;
    this.#take = undefined;
    take?.(undefined);
  }

  /**
   * The next message; for one taker at a time.
   *
   * @returns `undefined` after a {@link nudge}
   * @throws the signal's reason
   */
  async next(signal: AbortSignal): Promise<Message | undefined> {
    signal.throwIfAborted();
    const waiting = this.#messages.shift();
    if (waiting !== undefined) return waiting;
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.#take = undefined;
        reject(signal.reason);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#take = (message) => {
        signal.removeEventListener("abort", abort);
        resolve(message);
      };
    });
  }
}

/** A block with the peer that sent it. */
export interface ReceivedBlock {
  readonly block: Block;
  readonly peer: Peer;
}

/** A mailbox for blocks, which are wanted by their hashes. @spec 40 §3.8 */
export class BlockMailbox extends Mailbox<ReceivedBlock> {
  #wantsHash: (hash: Uint8Array) => boolean = () => false;

  /** Takes only blocks with such hashes from now on. */
  wantHashes(wantsHash: (hash: Uint8Array) => boolean): void {
    this.#wantsHash = wantsHash;
    this.want(({ block }) => wantsHash(block.hash));
  }

  /** Whether a block with this hash is taken. */
  wantsHash(hash: Uint8Array): boolean {
    return this.#wantsHash(hash);
  }
}
