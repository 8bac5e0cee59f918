import type { BlockMetadata } from "@vedette/chain/finality";
import { type Block, encodeBlock, hashKey } from "@vedette/protocol";
import type { UpdateSource } from "../makeUpdate.js";
import { metadataOf } from "../verifyUpdate.js";

/** A chain with all blocks in memory. */
export class ChainSource implements UpdateSource {
  readonly lastFinal: bigint;
  readonly top: bigint;
  readonly #blocks: ReadonlyMap<string, Block>;
  readonly #heights = new Map<bigint, Uint8Array[]>();
  readonly #mainChain: readonly Block[];

  /**
   * @param blocks valid ones
   * @param final  the last final one
   */
  constructor(blocks: readonly Block[], final: Block) {
    this.#blocks = new Map(blocks.map((block) => [hashKey(block.hash), block]));
    for (const { number, hash } of blocks) this.#heights.set(number, [...this.atHeight(number), hash]);
    this.lastFinal = final.number;
    this.top = [...this.#heights.keys()].reduce((top, number) => (number > top ? number : top), 0n);
    const mainChain: Block[] = [];
    for (let at: Block | undefined = final; at !== undefined; ) {
      mainChain.push(at);
      const parent: Uint8Array | undefined = at.parents[0];
      at = parent === undefined ? undefined : this.#blocks.get(hashKey(parent));
    }
    this.#mainChain = mainChain;
  }

  find(hash: Uint8Array): BlockMetadata | undefined {
    const block = this.#blocks.get(hashKey(hash));
    return block === undefined ? undefined : metadataOf(block);
  }

  lengthOf(hash: Uint8Array): number | undefined {
    return this.bytesOf(hash)?.length;
  }

  bytesOf(hash: Uint8Array): Uint8Array | undefined {
    const block = this.#blocks.get(hashKey(hash));
    return block === undefined ? undefined : encodeBlock(block);
  }

  atHeight(number: bigint): readonly Uint8Array[] {
    return this.#heights.get(number) ?? [];
  }

  finalAt(number: bigint): BlockMetadata | undefined {
    const block = this.finalBlockAt(number);
    return block === undefined ? undefined : metadataOf(block);
  }

  /** {@link finalAt} as the block itself. */
  finalBlockAt(number: bigint): Block | undefined {
    return this.#mainChain.find((block) => block.number <= number);
  }
}
