import { type Block, encodeBlock, hashKey } from "@vedette/protocol";

interface Offer {
  readonly block: Block;
  readonly bytes: number;
  /** The number of its references that are not in the DAG. */
  unmet: number;
}

/**
 * Blocks that came before their turn and are held in memory alone: those below them are on their way to the DAG.
 *
 * @spec 40 §18
 */
export class OutOfOrderBlocks {
  readonly #offers = new Map<string, Offer>();
  readonly #waitingFor = new Map<string, Offer[]>();
  #bytes = 0;

  get size(): number {
    return this.#offers.size;
  }

  /** As they are encoded. */
  get bytes(): number {
    return this.#bytes;
  }

  has(hash: Uint8Array): boolean {
    return this.#offers.has(hashKey(hash));
  }

  find(hash: Uint8Array): Block | undefined {
    return this.#offers.get(hashKey(hash))?.block;
  }

  /** @param unmet the hashes that it waits for, each once */
  add(block: Block, unmet: readonly Uint8Array[]): void {
    const offer: Offer = { block, bytes: encodeBlock(block).length, unmet: unmet.length };
    this.#offers.set(hashKey(block.hash), offer);
    this.#bytes += offer.bytes;
    for (const hash of unmet) {
      const key = hashKey(hash);
      const waiting = this.#waitingFor.get(key);
      if (waiting === undefined) this.#waitingFor.set(key, [offer]);
      else waiting.push(offer);
    }
  }

  /** A block that waits for a hash and for nothing else. */
  waitingOnlyFor(hash: Uint8Array): Block | undefined {
    return this.#waitingFor.get(hashKey(hash))?.find(({ unmet }) => unmet === 1)?.block;
  }

  /** A hash is in the DAG. @returns the blocks that now wait for nothing */
  met(hash: Uint8Array): Block[] {
    const key = hashKey(hash);
    const waiting = this.#waitingFor.get(key) ?? [];
    this.#waitingFor.delete(key);
    for (const offer of waiting) offer.unmet -= 1;
    return waiting.filter(({ unmet }) => unmet === 0).map(({ block }) => block);
  }

  /** A block is judged, or held elsewhere. */
  remove(hash: Uint8Array): void {
    const key = hashKey(hash);
    const offer = this.#offers.get(key);
    if (offer === undefined) return;
    this.#offers.delete(key);
    this.#bytes -= offer.bytes;
  }

  /** Takes all that wait, in the order in which they came. */
  takeWaiting(): Block[] {
    const waiting = [...this.#offers.values()].filter(({ unmet }) => unmet > 0).map(({ block }) => block);
    for (const { hash } of waiting) this.remove(hash);
    this.#waitingFor.clear();
    return waiting;
  }
}
