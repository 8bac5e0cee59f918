import { emptyBytes } from "@vedette/crypto";
import { hashKey } from "@vedette/protocol";
import type { ReadableTable, Store, WritableTables } from "@vedette/store";
import { keyNumber, numberKey, pairKey } from "../dag/tableKeys.js";

const keyLength = 65;
/** Marks an overruled record among the hashes of blocks that took notice; no block has this hash. */
const overruled = new Uint8Array(32);

/** A validator made two blocks after the one with this sequence number. @spec 40 §5.6, §5.9 */
export interface EquivocationRecord {
  readonly validator: Uint8Array;
  readonly validatorKey: string;
  readonly baseSequenceNumber: number;
}

/** The equivocation records, as the checks read them. */
export interface EquivocationView {
  records(): readonly EquivocationRecord[];
  /** Whether the block is known to have taken notice of the equivocation. */
  isDetectedIn(record: EquivocationRecord, blockHash: Uint8Array): boolean;
  /** Whether most of the stake goes on without taking the validator's stake for it. @spec 40 §17.4 */
  isOverruled(record: EquivocationRecord): boolean;
}

/**
 * The equivocations that were recorded, and the blocks that took notice of each.
 *
 * Records are in memory; the blocks, which are many in time, are looked up. @spec 40 §6.1
 */
export class EquivocationTable implements EquivocationView {
  private readonly table: ReadableTable;
  #records: EquivocationRecord[] | undefined;

  /** @param store has the tables of the chain environment */
  constructor(store: Store) {
    this.table = store.table("equivocations");
    this.#records = this.readRecords();
  }

  /** Reads the records anew when they are next needed, after a transaction was undone. */
  reload(): void {
    this.#records = undefined;
  }

  records(): readonly EquivocationRecord[] {
    return this.known;
  }

  isDetectedIn(record: EquivocationRecord, blockHash: Uint8Array): boolean {
    return this.table.has(pairKey(recordKey(record), blockHash));
  }

  isOverruled(record: EquivocationRecord): boolean {
    return this.isDetectedIn(record, overruled);
  }

  /** Marks records as overruled, within a larger transaction: no block is invalid because of them. @spec 40 §17.4 */
  putOverruled(tables: WritableTables, records: readonly EquivocationRecord[]): void {
    this.putDetected(tables, records, overruled);
  }

  /** Whether any record names the block; such a block counts as validated. @spec 40 §4.4 (step 5) */
  isDetectedAnywhere(blockHash: Uint8Array): boolean {
    return this.known.some((record) => this.isDetectedIn(record, blockHash));
  }

  /** Adds a record within a larger transaction; the caller then calls {@link refresh}. @spec 40 §5.9 */
  putRecord(tables: WritableTables, validator: Uint8Array, baseSequenceNumber: number): void {
    if (validator.length === keyLength) tables("equivocations").put(keyOf(validator, baseSequenceNumber), emptyBytes);
  }

  /** Notes within a larger transaction that a block took notice of equivocations. @spec 40 §5.6 */
  putDetected(tables: WritableTables, records: readonly EquivocationRecord[], blockHash: Uint8Array): void {
    for (const record of records) tables("equivocations").put(pairKey(recordKey(record), blockHash), emptyBytes);
  }

  /** Takes a record that was written into memory. */
  refresh(validator: Uint8Array, baseSequenceNumber: number): void {
    const key = hashKey(validator);
    const isKnown = this.known.some(
      (record) => record.validatorKey === key && record.baseSequenceNumber === baseSequenceNumber,
    );
    if (!isKnown && validator.length === keyLength) this.known.push(recordOf(keyOf(validator, baseSequenceNumber)));
  }

  private get known(): EquivocationRecord[] {
    return (this.#records ??= this.readRecords());
  }

  private readRecords(): EquivocationRecord[] {
    const records: EquivocationRecord[] = [];
    let last: Uint8Array | undefined;
    for (let next = this.firstAfter(last); next !== undefined; next = this.firstAfter(last)) {
      records.push(recordOf(next));
      last = next;
    }
    return records;
  }

  /** The first record with a key above this one and all keys that begin with it. */
  private firstAfter(last: Uint8Array | undefined): Uint8Array | undefined {
    const from = last === undefined ? undefined : pairKey(last, new Uint8Array(33).fill(0xff));
    for (const [key] of this.table.range({ from, limit: 1 })) {
      return key.subarray(0, keyLength + 8);
    }
    return undefined;
  }
}

function recordOf(key: Uint8Array): EquivocationRecord {
  const validator = key.slice(0, keyLength);
  const baseSequenceNumber = Number(keyNumber(key.subarray(keyLength)));
  return { validator, validatorKey: hashKey(validator), baseSequenceNumber };
}

function recordKey(record: EquivocationRecord): Uint8Array {
  return keyOf(record.validator, record.baseSequenceNumber);
}

function keyOf(validator: Uint8Array, baseSequenceNumber: number): Uint8Array {
  return pairKey(validator, numberKey(BigInt(baseSequenceNumber)));
}
