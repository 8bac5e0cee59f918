import type { Store, WritableTables } from "@vedette/store";
import { decodeNumberEntry, encodeNumberEntry, type NumberChanges } from "@vedette/tuplespace";
import { findRecord, type MergeableId, recordKeyOf } from "../mergeableStore.js";

const table = "mergeable";

/**
 * Stores the changes that each deploy of a block made to number channels, in the form that other nodes request.
 *
 * @param changes user deploys, then system deploys
 * @spec 61 §12.2
 */
export function writeNumberEntry(tables: WritableTables, id: MergeableId, changes: readonly NumberChanges[]): void {
  tables(table).put(recordKeyOf(id), encodeNumberEntry(changes));
}

/**
 * Returns the changes that {@link writeNumberEntry} stored; `undefined` when the block was not executed here.
 *
 * @throws {MergeError} `mergeableMalformed`
 * @spec 61 §12.2
 */
export function findNumberEntry(store: Store, id: MergeableId): readonly NumberChanges[] | undefined {
  const bytes = findNumberEntryBytes(store, id);
  return bytes === undefined ? undefined : decodeNumberEntry(bytes);
}

/** The same as it is given to other nodes. @spec 61 §16.2 */
export function findNumberEntryBytes(store: Store, id: MergeableId): Uint8Array | undefined {
  return findRecord(store.table(table), id);
}
