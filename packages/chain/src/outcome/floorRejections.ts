import { blake2b256, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { deployLifespan } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import { type LineageSource, StateLineage } from "../finality/rust/StateLineage.js";
import { type FindRejections, hasRejection, type RejectionSearch } from "./rejectedDeploys.js";
import type { RejectedDeploy } from "./stateLines.js";

/**
 * On networks of the newer node blocks record what their merges gave up, and states say whose effects they have: a
 * deploy of a final block is rejected where a final block says so and its effect did not come into the state by another
 * copy; it may be proposed again, and then it is no more.
 *
 * @param source of the chain's blocks
 * @spec 61 §12.3, §13.4
 */
export function floorRejections(
  source: LineageSource,
  blocks: { find(hash: Uint8Array): Block | undefined },
): FindRejections {
  return (search) => {
    const finalized = [...search.ancestors, search.block];
    const effects = effectsOf(search.block, finalized, new StateLineage(search.dag, source));
    const rejected = finalized.flatMap(({ hash }) =>
      source.factsOf(hash).rejections.flatMap(({ signature, duplicate, carrier }): RejectedDeploy[] => {
        const isGivenUp = duplicate !== true && carrier !== undefined && !effects.has(hashKey(signature));
        return isGivenUp ? [{ blockHash: carrier, idHash: blake2b256(signature), rejectedBy: hash }] : [];
      }),
    );
    const come = finalized.flatMap(({ hash }) => effectsIn(blocks.find(hash)));
    return { rejected, restored: come.flatMap((signature) => restoredBy(signature, effects, search)) };
  };
}

/** The signatures whose effects are in a state, of those that the blocks may have. */
function effectsOf(
  block: BlockMetadata,
  finalized: readonly BlockMetadata[],
  lineage: StateLineage,
): ReadonlySet<string> {
  const lowest = finalized.reduce((least, { number }) => (number < least ? number : least), block.number);
  return lineage.effectsDownTo(block, lowest - deployLifespan);
}

function effectsIn(block: Block | undefined): readonly Uint8Array[] {
  if (block === undefined) return [];
  const own = block.body.deploys.flatMap(({ deploy, failed }) => (failed ? [] : [deploy.signature]));
  return [...own, ...(block.body.appliedFromScope ?? [])];
}

/** Copies that were given up before, and whose effect is in the state now. */
function restoredBy(signature: Uint8Array, effects: ReadonlySet<string>, { dag, tables }: RejectionSearch) {
  if (!effects.has(hashKey(signature))) return [];
  const idHash = blake2b256(signature);
  const found = new Map<string, RejectedDeploy>();
  for (const blockHash of dag.blocksOfDeploy(signature))
    if (hasRejection(tables, { blockHash, idHash }))
      found.set(toHex(blockHash), { blockHash, idHash, rejectedBy: blockHash });
  return [...found.values()];
}
