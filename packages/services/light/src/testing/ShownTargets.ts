import { type BlockMetadata, ChainError } from "@vedette/chain/finality";
import { type Block, encodeBlock, hashKey } from "@vedette/protocol";
import { Evidence } from "../Evidence.js";
import { LightError } from "../LightError.js";
import type { LightRules } from "../LightRules.js";
import type { TrustedBlock } from "../TrustedBlock.js";
import { findFailing, metadataOf, verifyUpdate } from "../verifyUpdate.js";

/** Finds whether a client can be made to accept targets, from any choice of signed blocks. */
export class ShownTargets {
  readonly #rules: LightRules;
  readonly #metadata = new Map<string, BlockMetadata>();
  /** Updates that were looked at. */
  tried = 0;

  constructor(rules: LightRules) {
    this.#rules = rules;
  }

  /** @param chosen the update's blocks, the target and its main parent among them where they are needed */
  accepts(trusted: TrustedBlock, target: Block, chosen: readonly Block[]): boolean {
    this.tried += 1;
    const update = { target: target.hash, blocks: chosen.map(encodeBlock) };
    try {
      // The rule refuses most, and takes much less time than hashes and signatures.
      const evidence = new Evidence(
        this.#of(target),
        chosen.map((block) => this.#of(block)),
      );
      if (findFailing(evidence, trusted, this.#rules.needed) !== undefined) return false;
      verifyUpdate(trusted, update, this.#rules);
      return true;
    } catch (error) {
      if (error instanceof LightError || error instanceof ChainError) return false;
      throw error;
    }
  }

  #of(block: Block): BlockMetadata {
    const key = hashKey(block.hash);
    const known = this.#metadata.get(key);
    if (known !== undefined) return known;
    const metadata = metadataOf(block);
    this.#metadata.set(key, metadata);
    return metadata;
  }
}
