import type { BlockFloor } from "@vedette/chain";
import { type Block, hashKey } from "@vedette/protocol";
import { importedBlocks, statesOf } from "@vedette/sync";
import { emptyRoot } from "@vedette/tuplespace";
import type { SnapshotFloors } from "../floors/SnapshotFloors.js";

/** A snapshot's block, the blocks around it, and their floors as the snapshot claims them. */
export interface BlocksAround {
  readonly block: Block;
  /** The highest first. */
  readonly hashes: readonly Uint8Array[];
  readonly floors: readonly BlockFloor[];
  readonly find: (hash: Uint8Array) => Block | undefined;
}

/**
 * Returns the blocks that may go with a snapshot, with their states and their changes of number channels: those from
 * its horizon on that are not invalid. The maker of a snapshot and its readers find the same blocks.
 *
 * @returns the highest first
 * @spec 61 §16.4
 */
export function horizonBlocks(
  rules: Pick<SnapshotFloors, "horizon">,
  { block, hashes, floors, find }: BlocksAround,
): readonly Block[] {
  const lowest = rules.horizon(block, floors, find);
  const invalid = new Set<string>();
  for (const { hash, isInvalid } of importedBlocks(block, hashes)) if (isInvalid) invalid.add(hashKey(hash));
  return hashes.flatMap((hash) => {
    const one = invalid.has(hashKey(hash)) ? undefined : find(hash);
    return one === undefined || one.number < lowest ? [] : [one];
  });
}

/** The roots that these blocks name, beside the one that a snapshot is of. */
export function horizonRoots(blocks: readonly Block[], own: Block): ReadonlyMap<string, Uint8Array> {
  const roots = new Map(statesOf(blocks).map((root) => [hashKey(root), root] as const));
  roots.delete(hashKey(own.body.state.postStateHash));
  roots.delete(hashKey(emptyRoot));
  return roots;
}
