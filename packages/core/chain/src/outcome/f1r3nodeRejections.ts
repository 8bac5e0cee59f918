import { blake2b256, toHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import { ChainError } from "../ChainError.js";
import { deployLifespan } from "../ChainRules.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { type LineageSource, StateLineage } from "../finality/f1r3node/StateLineage.js";
import { type FindRejections, hasRejection, type RejectionSearch } from "./rejectedDeploys.js";
import type { RejectionInState } from "./stateLines.js";
import { takesEffect } from "./takesEffect.js";

/** Final blocks that are looked through where nothing was noted before. */
const maxAtFirst = 2_000;

interface Blocks {
  find(hash: Uint8Array): Block | undefined;
}

/**
 * On f1r3node networks states determine which deploys have effects. A deploy of a final block without an effect in the
 * final state counts as rejected, whether or not a block has a record of that. If its effect comes in later, it counts
 * no longer.
 *
 * @param source of the chain's blocks
 * @spec 61 §12.3, §13.4, §13.8
 */
export function f1r3nodeRejections(source: LineageSource, blocks: Blocks): FindRejections {
  return (search) => {
    const { dag, block, before, ancestors } = search;
    const judged = before === undefined ? finalUpTo(block, dag) : [...ancestors, block];
    const lineage = new StateLineage(dag, source);
    const meeting = before && lineage.meeting(before, block);
    const line = lineDownTo(lowestOf([...judged, meeting ?? block]) - deployLifespan, block, lineage);
    const effects = new Set(line.flatMap(({ hash }) => [...source.factsOf(hash).introduced]));
    const recorders = recordersOf(judged, source);
    const rejected = judged.flatMap(({ hash }) =>
      ownEffects(blocks.find(hash)).flatMap((signature): RejectionInState[] => {
        if (effects.has(hashKey(signature))) return [];
        const rejectedBy = recorders.get(recordKey(signature, hash)) ?? block.hash;
        return [{ blockHash: hash, idHash: blake2b256(signature), rejectedBy }];
      }),
    );
    const isNew = ({ number }: BlockMetadata) => meeting === undefined || number > meeting.number;
    const come = line.filter(isNew).flatMap(({ hash }) => introducedBy(blocks.find(hash)));
    return { rejected, restored: come.flatMap((signature) => restoredBy(signature, search)) };
  };
}

/** Returns a block and its ancestors, as far as they are stored. */
function finalUpTo(block: BlockMetadata, dag: DagView): BlockMetadata[] {
  const found = new Map([[block.key, block]]);
  for (const { parents } of found.values())
    for (const hash of parents) {
      const parent = found.size < maxAtFirst ? dag.find(hash) : undefined;
      if (parent !== undefined) found.set(parent.key, parent);
    }
  return [...found.values()];
}

/** The blocks that a state came through down to a height, as far as the chain is here. */
function lineDownTo(lowest: bigint, block: BlockMetadata, lineage: StateLineage): BlockMetadata[] {
  const line: BlockMetadata[] = [];
  try {
    for (let at: BlockMetadata | undefined = block; at !== undefined && at.number >= lowest; ) {
      line.push(at);
      at = lineage.stateParent(at);
    }
  } catch (error) {
    if (!(error instanceof ChainError && error.failure.code === "blockMissing")) throw error;
  }
  return line;
}

function lowestOf(blocks: readonly BlockMetadata[]): bigint {
  return blocks.reduce((least, { number }) => (number < least ? number : least), blocks[0]!.number);
}

/** The deploys of a block that took effect there. */
function ownEffects(block: Block | undefined): readonly Uint8Array[] {
  if (block === undefined) return [];
  const done = block.body.deploys.filter((processed) => takesEffect(processed, block.form));
  return done.map(({ deploy }) => deploy.signature);
}

/** Returns the deploys with effects that came into the state with a block. */
function introducedBy(block: Block | undefined): readonly Uint8Array[] {
  return [...ownEffects(block), ...(block?.body.appliedFromScope ?? [])];
}

/** By deploy and block: which block has a record of its being given up. */
function recordersOf(blocks: readonly BlockMetadata[], source: LineageSource): ReadonlyMap<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { hash } of blocks)
    for (const { signature, carrier } of source.factsOf(hash).rejections)
      if (carrier !== undefined) found.set(recordKey(signature, carrier), hash);
  return found;
}

function recordKey(signature: Uint8Array, carrier: Uint8Array): string {
  return `${hashKey(signature)} ${hashKey(carrier)}`;
}

/** Returns the earlier rejected copies of a deploy that has its effect in the state now. */
function restoredBy(signature: Uint8Array, { dag, tables }: RejectionSearch): readonly RejectionInState[] {
  const idHash = blake2b256(signature);
  const found = new Map<string, RejectionInState>();
  for (const blockHash of dag.blocksOfDeploy(signature))
    if (hasRejection(tables, { blockHash, idHash }))
      found.set(toHex(blockHash), { blockHash, idHash, rejectedBy: blockHash });
  return [...found.values()];
}
