import type { Block } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { Dag } from "../dag/Dag.js";

/** Verdicts that state only that another block of the creator arrived first. */
const ofArrival: ReadonlySet<string | undefined> = new Set(["AdmissibleEquivocation", "IgnorableEquivocation"]);

/** Whether a block is invalid only because another block of its creator arrived first. */
export function isInvalidByArrival(hash: Uint8Array, dag: Pick<Dag, "isInvalid" | "invalidReason">): boolean {
  return dag.isInvalid(hash) && ofArrival.has(dag.invalidReason(hash));
}

/**
 * The blocks below a valid one that are invalid only because another block of their creator came first. The creator of
 * the valid block found them valid, and its post-state has their deploys.
 *
 * @returns the lower ones first
 * @spec 61 §15.5
 * @cost nothing where all parents are valid
 */
export function acceptedSides(block: Block, dag: Pick<Dag, "find" | "isInvalid" | "invalidReason">): BlockMetadata[] {
  const found = new Map<string, BlockMetadata>();
  const waiting = [...block.parents];
  for (let hash = waiting.pop(); hash !== undefined; hash = waiting.pop()) {
    const side = isInvalidByArrival(hash, dag) ? dag.find(hash) : undefined;
    if (side === undefined || found.has(side.key)) continue;
    found.set(side.key, side);
    waiting.push(...side.parents);
  }
  return [...found.values()].sort((left, right) => Number(left.number - right.number));
}
