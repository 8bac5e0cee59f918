import { type Block, hashKey, type ProcessedDeploy } from "@vedette/protocol";
import { ChainError } from "../../ChainError.js";
import type { LineageFacts, LineageSource } from "./StateLineage.js";

/** Whether a deploy that a block executed has left its effect in the block's state. */
export type HasEffect = (processed: ProcessedDeploy) => boolean;

/** With f1r3node also one that could not be paid: it comes to nothing, and that is done. @spec 61 §12.4 */
const hasNotFailed: HasEffect = ({ failed }) => !failed;

/** Reads the facts about a block's state from its body. @spec 61 §13.4 */
function lineageFactsOf({ body }: Pick<Block, "body">, hasEffect: HasEffect = hasNotFailed): LineageFacts {
  const introduced = new Set<string>();
  const included = new Set<string>();
  for (const processed of body.deploys) {
    const key = hashKey(processed.deploy.signature);
    included.add(key);
    if (hasEffect(processed)) introduced.add(key);
  }
  for (const signature of body.appliedFromScope ?? []) introduced.add(hashKey(signature));
  const { mergeBase, rejectedDeploys: rejections } = body;
  const named = mergeBase === undefined || mergeBase.length === 0 ? undefined : mergeBase;
  return { mergeBase: named, introduced, included, rejections };
}

/** The maximum of remembered facts: each signature and each rejection is one, each block some. About 20 MB. */
const defaultMostFacts = 100_000;
const factsOfBlock = 4;

/**
 * Reads bodies of blocks and caches the lineage facts of the most recently used: bodies are large, these facts are
 * small.
 */
export class BlockLineage implements LineageSource {
  private readonly blocks: { find(hash: Uint8Array): Block | undefined };
  private readonly maxFacts: number;
  private readonly hasEffect: HasEffect;
  private readonly remembered = new Map<string, LineageFacts>();
  private facts = 0;

  /** @param hasEffect left out: f1r3node's rule */
  constructor(
    blocks: { find(hash: Uint8Array): Block | undefined },
    maxFacts = defaultMostFacts,
    hasEffect: HasEffect = hasNotFailed,
  ) {
    this.blocks = blocks;
    this.maxFacts = maxFacts;
    this.hasEffect = hasEffect;
  }

  factsOf(hash: Uint8Array, key = hashKey(hash)): LineageFacts {
    const known = this.remembered.get(key);
    if (known !== undefined) {
      // The last used entry is last; the first is dropped first.
      this.remembered.delete(key);
      this.remembered.set(key, known);
      return known;
    }
    const block = this.blocks.find(hash);
    if (block === undefined) throw new ChainError({ code: "blockMissing", hash });
    const facts = lineageFactsOf(block, this.hasEffect);
    this.remembered.set(key, facts);
    this.facts += sizeOf(facts);
    this.forget();
    return facts;
  }

  private forget(): void {
    for (const [key, facts] of this.remembered) {
      if (this.facts <= this.maxFacts) return;
      this.remembered.delete(key);
      this.facts -= sizeOf(facts);
    }
  }
}

function sizeOf({ included, introduced, rejections }: LineageFacts): number {
  return factsOfBlock + included.size + introduced.size + rejections.length;
}
