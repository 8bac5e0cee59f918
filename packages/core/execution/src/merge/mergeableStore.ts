import type { Block } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { decodeMergeable, encodeMergeable, mergeableKey, type NumberDifferences, recordKey } from "@vedette/tuplespace";

const table = "mergeable";

/** Under which a block's differences are kept. @spec 41 §9 */
export interface MergeableId {
  /** The state that executing the block led to. */
  readonly postState: Uint8Array;
  /** Public key of the creator; empty for genesis. */
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
}

/** The id of a block that led to the state that it states. @spec 41 §9 */
export function mergeableIdOf(block: Block): MergeableId {
  return {
    postState: block.body.state.postStateHash,
    sender: block.sender,
    sequenceNumber: block.sequenceNumber,
  };
}

/**
 * Keeps what each deploy of a block changed on number channels, for later merges.
 *
 * @param differences user deploys, then system deploys
 * @spec 41 §4.2, §9
 */
export function putMergeable(store: Store, id: MergeableId, differences: readonly NumberDifferences[]): void {
  store.write((tables) => writeMergeable(tables, id, differences));
}

/** {@link putMergeable} as a part of a transaction. @spec 41 §4.2, §9 */
export function writeMergeable(
  tables: WritableTables,
  id: MergeableId,
  differences: readonly NumberDifferences[],
): void {
  tables(table).put(recordKeyOf(id), encodeMergeable(differences));
}

/**
 * Returns the entry that {@link putMergeable} stored; `undefined` when the block was not executed here.
 *
 * @throws {MergeError} `mergeableMalformed`
 * @spec 41 §9
 */
export function findMergeable(store: Store, id: MergeableId): readonly NumberDifferences[] | undefined {
  const bytes = findRecord(store.table(table), id);
  return bytes === undefined ? undefined : decodeMergeable(bytes);
}

/** The key of a block's records. @spec 30 §A.7 */
export function recordKeyOf({ postState, sender, sequenceNumber }: MergeableId): Uint8Array {
  return recordKey(postState, sender, sequenceNumber);
}

/** A block's record, also one that an earlier version wrote. */
export function findRecord(records: ReadableTable, id: MergeableId): Uint8Array | undefined {
  const { postState, sender, sequenceNumber } = id;
  return records.get(recordKeyOf(id)) ?? records.get(mergeableKey(postState, sender, sequenceNumber));
}
