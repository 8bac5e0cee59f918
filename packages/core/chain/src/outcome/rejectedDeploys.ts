import { blake2b256 } from "@vedette/crypto";
import type { Store, WritableTables } from "@vedette/store";
import { ChainError } from "../ChainError.js";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { type RejectionChanges, type RejectionInState, rejectionsBetween } from "./stateLines.js";

/**
 * Key of the last finalized block that the table covers. Earlier versions used records alone on f1r3node networks and
 * kept this mark there too; so their entries are searched once more.
 */
const markKey = Uint8Array.of(0);
const floorMarkKey = Uint8Array.of(1);
const hashBytes = 32;
const noChanges: RejectionChanges = { rejected: [], restored: [] };

/** A block that became the last finalized one. */
export interface NewFinality {
  /** As it was before. */
  readonly dag: DagView;
  readonly block: BlockMetadata;
  /** Blocks that became final with it. */
  readonly ancestors: readonly BlockMetadata[];
  /** Fault tolerance above which a block is final. */
  readonly threshold: number;
}

/** Where is looked for what a new finality changes. */
export interface RejectionSearch extends NewFinality {
  /** The last finalized block that the table covers; `undefined`: it covers none yet. */
  readonly before: BlockMetadata | undefined;
  readonly tables: WritableTables;
}

/**
 * Finds which deploys of final blocks are not in the state now, and which of those that were not are; networks of the two
 * kinds of nodes differ in it.
 *
 * @throws {ChainError} where that cannot be derived
 */
export type FindRejections = (search: RejectionSearch) => RejectionChanges;

/** By the merges on the way of the state. @spec 40 §12 */
const alongStates: FindRejections = ({ before, block, ...sources }) => rejectionsBetween(before, block, sources);

/**
 * Keeps the table of rejected deploys as it is after a last finalized block, in the transaction that makes it that.
 *
 * @param find left out: as on rnode networks
 * @returns the changes since the one before; none if nothing was known before
 * @spec 40 §8.4, §12.3
 */
export function takeFinality(
  tables: WritableTables,
  finality: NewFinality,
  find: FindRejections = alongStates,
): RejectionChanges {
  const { dag, block } = finality;
  const table = tables("rejectedDeploys");
  const ownMarkKey = find === alongStates ? markKey : floorMarkKey;
  const mark = table.get(ownMarkKey);
  const before = mark === undefined ? undefined : dag.find(mark);
  if (before !== undefined && before.number > block.number) return noChanges;
  const changes = changesOf({ ...finality, before, tables }, find);
  table.put(ownMarkKey, block.hash);
  for (const one of changes.restored) table.delete(keyOf(one));
  for (const one of changes.rejected) table.put(keyOf(one), one.rejectedBy);
  return changes;
}

/** Empties the tables before they are used for another chain. */
export function forgetRejections(tables: WritableTables): void {
  for (const name of ["merges", "rejectedDeploys"] as const)
    for (const [key] of [...tables(name).range()]) tables(name).delete(key);
}

/**
 * Returns the block with the merge that gave up a deploy of a final block; `undefined` if the deploy is in the final
 * state.
 */
export function findRejection(store: Store, blockHash: Uint8Array, deployId: Uint8Array): Uint8Array | undefined {
  return store.table("rejectedDeploys").get(keyOf({ blockHash, idHash: blake2b256(deployId) }));
}

/** Whether {@link findRejection} finds one, within a transaction. */
export function hasRejection(
  tables: WritableTables,
  rejection: Pick<RejectionInState, "blockHash" | "idHash">,
): boolean {
  return tables("rejectedDeploys").has(keyOf(rejection));
}

function changesOf(search: RejectionSearch, find: FindRejections): RejectionChanges {
  try {
    return find(search);
  } catch (error) {
    // Finality must go on, whatever is found in the chain.
    if (!(error instanceof ChainError)) throw error;
    return noChanges;
  }
}

function keyOf({ blockHash, idHash }: Pick<RejectionInState, "blockHash" | "idHash">): Uint8Array {
  const key = new Uint8Array(2 * hashBytes);
  key.set(blockHash);
  key.set(idHash, hashBytes);
  return key;
}
