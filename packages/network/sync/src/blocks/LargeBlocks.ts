import { type Block, encodeBlock } from "@vedette/protocol";
import type { Timers } from "../Timers.js";

/** Work on a block up to this size takes some milliseconds. */
const largeBytes = 1 << 20;

/** Whether to store a block is more than one piece of work, or to read it is one of its own. */
export function isLarge(block: Block): boolean {
  return encodeBlock(block).length > largeBytes;
}

/** To store a large block and to read it are pieces of work of their own, between which the event loop goes on. @spec 40 §4.9 */
export class LargeBlocks {
  readonly #timers: Timers;
  #isDue = false;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** A block was stored or read. */
  handled(block: Block): void {
    if (isLarge(block)) this.#isDue = true;
  }

  /** Lets the event loop go on, where a large block was handled since. */
  async yieldNow(): Promise<void> {
    if (!this.#isDue) return;
    this.#isDue = false;
    await this.#timers.yieldNow();
  }
}
