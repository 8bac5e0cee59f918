import type { BlockMetadata } from "@vedette/chain";
import type { Block } from "@vedette/protocol";

/** One answer needs its block at several places; others come in between while it waits for a reader. */
const keptMs = 2_000;

/**
 * Reads blocks for answers, and has the last one at hand for a while: to read and decode a large one takes long, so
 * that an answer does it once. Never more than one is kept.
 *
 * @spec 50 §1.9
 */
export class LastReadBlock {
  readonly #read: (hash: Uint8Array) => Block | undefined;
  #last: { readonly key: string; readonly block: Block } | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** @param read from the store */
  constructor(read: (hash: Uint8Array) => Block | undefined) {
    this.#read = read;
  }

  /** @returns `undefined` when it is not stored */
  find(metadata: BlockMetadata): Block | undefined {
    const known = this.known(metadata);
    if (known !== undefined) return known;
    const block = this.#read(metadata.hash);
    if (block !== undefined) this.#keep(metadata.key, block);
    return block;
  }

  /** The block, if it is the one at hand. */
  known({ key }: BlockMetadata): Block | undefined {
    return this.#last?.key === key ? this.#last.block : undefined;
  }

  #keep(key: string, block: Block): void {
    this.#last = { key, block };
    // A timer for each block that is read would cost more than to look at it again.
    this.#timer ??= setTimeout(() => this.#forget(block), keptMs).unref();
  }

  #forget(since: Block): void {
    this.#timer = undefined;
    const last = this.#last;
    this.#last = undefined;
    // Another one that was read meanwhile has its own time.
    if (last !== undefined && last.block !== since) this.#keep(last.key, last.block);
  }
}
