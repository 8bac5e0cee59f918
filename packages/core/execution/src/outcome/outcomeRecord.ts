import { ByteWriter } from "@vedette/crypto";
import type { Store, WritableTables } from "@vedette/store";
import { findRecord, type MergeableId, recordKeyOf } from "../merge/mergeableStore.js";
import { type DeployNote, emptyNote, isEmptyNote } from "../note/DeployNote.js";
import { decodeNotes, encodeNotes } from "../note/noteRecord.js";
import { ReportError } from "../report/ReportError.js";
import type { BlockTransfers } from "../report/Transfer.js";
import { decodeTransfers, encodeTransfers } from "../report/transferRecord.js";

const table = "outcomes";
/** Where earlier versions kept the two parts, with longer keys. */
const earlier = { transfers: "transfers", notes: "deployNotes" } as const;

/** The results of executing a block beside the state that it leads to. @spec 41 §8.3, §8.4 */
export interface ExecutionOutcome {
  readonly transfers: BlockTransfers;
  /** The notes of each user deploy. */
  readonly notes: readonly DeployNote[];
}

/** Stores the transfers and notes of a block, in the transaction of its state. @spec 41 §8.3, §8.4 */
export function writeOutcome(tables: WritableTables, id: MergeableId, outcome: ExecutionOutcome): void {
  tables(table).put(recordKeyOf(id), encodeOutcome(outcome));
}

/** A block's outcome as it is kept; `undefined` when the block was not executed here, or by an earlier version. */
export function findOutcome(store: Store, id: MergeableId): Uint8Array | undefined {
  return store.table(table).get(recordKeyOf(id));
}

/** Checks the form of what {@link findOutcome} gave elsewhere. @throws {ReportError} `recordMalformed` */
export function checkGivenOutcome(record: Uint8Array): void {
  const { transfers, notes } = partsOf(record);
  decodeTransfers(transfers);
  if (notes.length > 0) decodeNotes(notes);
}

/** Keeps what {@link checkGivenOutcome} has found right. */
export function writeGivenOutcome(tables: WritableTables, id: MergeableId, record: Uint8Array): void {
  tables(table).put(recordKeyOf(id), record);
}

/**
 * Returns the transfers of a block that {@link writeOutcome} stored; `undefined` when it was not executed here.
 *
 * @throws {ReportError} `recordMalformed`
 */
export function findTransfers(store: Store, id: MergeableId): BlockTransfers | undefined {
  const record = store.table(table).get(recordKeyOf(id));
  if (record !== undefined) return decodeTransfers(partsOf(record).transfers);
  const bytes = findRecord(store.table(earlier.transfers), id);
  return bytes === undefined ? undefined : decodeTransfers(bytes);
}

/**
 * Returns the notes of a block's deploys; `undefined` when it was not executed here, or by a version that stored none.
 *
 * @throws {ReportError} `recordMalformed`
 */
export function findNotes(store: Store, id: MergeableId): readonly DeployNote[] | undefined {
  const record = store.table(table).get(recordKeyOf(id));
  if (record === undefined) {
    const bytes = findRecord(store.table(earlier.notes), id);
    return bytes === undefined ? undefined : decodeNotes(bytes);
  }
  const { transfers, notes } = partsOf(record);
  return notes.length > 0 ? decodeNotes(notes) : decodeTransfers(transfers).deploys.map(() => emptyNote);
}

/** Encodes the length of the first part, the transfers, and the notes unless there are none. */
function encodeOutcome({ transfers, notes }: ExecutionOutcome): Uint8Array {
  const moved = encodeTransfers(transfers);
  const writer = new ByteWriter(moved.length + 16).varint(moved.length).bytes(moved);
  return (notes.every(isEmptyNote) ? writer : writer.bytes(encodeNotes(notes))).finish();
}

/** @throws {ReportError} `recordMalformed` */
function partsOf(record: Uint8Array): { readonly transfers: Uint8Array; readonly notes: Uint8Array } {
  let [length, offset, scale] = [0, 0, 1];
  for (let byte = 0x80; byte >= 0x80; scale *= 0x80) {
    const next = record[offset];
    if (next === undefined || offset > 4) throw new ReportError({ code: "recordMalformed", offset });
    byte = next;
    length += (byte & 0x7f) * scale;
    offset += 1;
  }
  const end = offset + length;
  if (end > record.length) throw new ReportError({ code: "recordMalformed", offset });
  return { transfers: record.subarray(offset, end), notes: record.subarray(end) };
}
