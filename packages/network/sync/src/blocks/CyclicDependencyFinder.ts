import { equalBytes } from "@vedette/crypto";
import type { BlockBuffer } from "./BlockBuffer.js";

/** A way from a block that waits to one that it waits for, and so on. */
interface Walk {
  at: Uint8Array;
  /** A block that was met before; met again, there is a circle. */
  mark: Uint8Array;
  /** From the mark on. */
  steps: number;
  /** After this many steps the mark is set anew. */
  reach: number;
}

/**
 * Looks for blocks that wait for one another, none of which could ever be judged. Blocks refer to earlier ones alone,
 * so a peer has changed the justifications of one of them.
 *
 * A walk goes from a block to one that it waits for, and on. It ends at a block that waits for none, or at one that it
 * met before (Brent's algorithm, which remembers one block). The next walk begins at the next block. A walk goes on
 * where it was while blocks come and go.
 *
 * @spec 40 §4.8
 */
export class CyclicDependencyFinder {
  readonly #buffer: BlockBuffer;
  #walk: Walk | undefined;
  #begun: Uint8Array | undefined;
  /** The number of walks, so that another one takes other ways. */
  #count = 0;

  constructor(buffer: BlockBuffer) {
    this.#buffer = buffer;
  }

  /** @param steps at most @returns a block of a circle, and how many there are; `undefined` where none was found yet */
  seek(steps: number): { readonly block: Uint8Array; readonly length: number } | undefined {
    for (let step = 0; step < steps; step += 1) {
      const walk = (this.#walk ??= this.#begin());
      if (walk === undefined) return undefined;
      const next = this.#after(walk.at);
      if (next === undefined) {
        this.#walk = undefined;
        continue;
      }
      walk.at = next;
      walk.steps += 1;
      if (equalBytes(next, walk.mark)) {
        this.#walk = undefined;
        return { block: next, length: walk.steps };
      }
      if (walk.steps === walk.reach) [walk.mark, walk.steps, walk.reach] = [next, 0, walk.reach * 2];
    }
    return undefined;
  }

  /** The blocks of a circle from one of them on, as long as it is one; ends where the buffer has changed meanwhile. */
  *circle(block: Uint8Array, length: number): Generator<{ readonly block: Uint8Array; readonly next: Uint8Array }> {
    let at = block;
    for (let step = 0; step < length; step += 1) {
      const next = this.#after(at);
      if (next === undefined) return;
      yield { block: at, next };
      at = next;
    }
  }

  #begin(): Walk | undefined {
    const start = this.#buffer.waitingAfter(this.#begun);
    if (start === undefined) return undefined;
    this.#begun = start;
    this.#count += 1;
    return { at: start, mark: start, steps: 0, reach: 1 };
  }

  /** Returns one of the blocks that it waits for and that wait themselves, always the same one during a walk. */
  #after(block: Uint8Array): Uint8Array | undefined {
    const waiting = this.#buffer.missingOf(block).filter((one) => this.#buffer.isWaiting(one));
    const [a, b, c, d] = block as Uint8Array & [number, number, number, number];
    return waiting[mixed(Math.imul(this.#count, 0x9e3779b1) ^ ((a << 24) | (b << 16) | (c << 8) | d)) % waiting.length];
  }
}

/**
 * Spreads a number over 32 bits, so that the choices at different blocks are independent in every walk: a circle with
 * choices that exclude each other would never be walked round.
 */
function mixed(number: number): number {
  const once = Math.imul(number ^ (number >>> 16), 0x85ebca6b);
  const twice = Math.imul(once ^ (once >>> 13), 0xc2b2ae35);
  return (twice ^ (twice >>> 16)) >>> 0;
}
