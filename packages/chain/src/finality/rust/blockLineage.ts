import { type Block, hashKey } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { LineageFacts, LineageSource } from "./StateLineage.js";

/** What a block's body says of its state. @spec 61 §13.4 */
export function lineageFactsOf({ body }: Pick<Block, "body">): LineageFacts {
  const introduced = new Set<string>();
  for (const { deploy, failed } of body.deploys) if (!failed) introduced.add(hashKey(deploy.signature));
  for (const signature of body.appliedFromScope ?? []) introduced.add(hashKey(signature));
  const { mergeBase } = body;
  return { mergeBase: mergeBase === undefined || mergeBase.length === 0 ? undefined : mergeBase, introduced };
}

const rememberedBlocks = 2_000;

/** Reads bodies of blocks, and remembers what was asked for last. */
export class BlockLineage implements LineageSource {
  private readonly blocks: { find(hash: Uint8Array): Block | undefined };
  private readonly remembered = new Map<string, LineageFacts>();

  constructor(blocks: { find(hash: Uint8Array): Block | undefined }) {
    this.blocks = blocks;
  }

  factsOf(hash: Uint8Array): LineageFacts {
    const key = hashKey(hash);
    let facts = this.remembered.get(key);
    if (facts === undefined) {
      const block = this.blocks.find(hash);
      if (block === undefined) throw new ChainError({ code: "blockMissing", hash });
      facts = lineageFactsOf(block);
    }
    // The one asked for last stands last; the first is forgotten first.
    this.remembered.delete(key);
    this.remembered.set(key, facts);
    if (this.remembered.size > rememberedBlocks)
      for (const oldest of this.remembered.keys()) {
        this.remembered.delete(oldest);
        break;
      }
    return facts;
  }
}
