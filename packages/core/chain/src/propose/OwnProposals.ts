import type { ReadableTable, Store, WritableTables } from "@vedette/store";

/** The last block that was made with a key. */
export interface OwnProposal {
  readonly sequenceNumber: number;
  readonly hash: Uint8Array;
}

/**
 * Remembers the last block made with our key, beside the DAG: it stays when the DAG is begun anew from an imported
 * state, so that no sequence number is used twice.
 */
export class OwnProposals {
  private readonly table: ReadableTable;
  private readonly key: Uint8Array;

  /** @param store has the tables of the chain environment */
  constructor(store: Store, ownKey: Uint8Array) {
    this.table = store.table("ownProposals");
    this.key = ownKey;
  }

  last(): OwnProposal | undefined {
    const value = this.table.get(this.key);
    if (value === undefined || value.length !== 36) return undefined;
    const sequenceNumber = new DataView(value.buffer, value.byteOffset, 4).getInt32(0);
    return { sequenceNumber, hash: value.slice(4) };
  }

  /** Within the transaction that inserts the block. */
  put(tables: WritableTables, { sequenceNumber, hash }: OwnProposal): void {
    const value = new Uint8Array(36);
    new DataView(value.buffer).setInt32(0, sequenceNumber);
    value.set(hash, 4);
    tables("ownProposals").put(this.key, value);
  }
}
