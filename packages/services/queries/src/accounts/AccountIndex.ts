import { emptyBytes, equalBytes } from "@vedette/crypto";
import type { Store, WritableTables } from "@vedette/store";
import {
  type AccountEntryKind,
  type AccountPlace,
  accountPrefix,
  blockInGap,
  encodePlace,
  endOfPlaces,
  gapKey,
  heightInGap,
  historyKey,
  placeIn,
  settledGaps,
} from "./accountKeys.js";
import type { IndexedBlock } from "./entriesOfBlock.js";

/** Something that happened to an address. */
export interface AccountEntry {
  readonly place: AccountPlace;
  readonly value: Uint8Array;
}

/** A block with transfers that are still to be found. */
export interface BlockWithoutTransfers {
  readonly height: bigint;
  readonly hash: Uint8Array;
}

/** Entries that are deleted in one transaction. */
const maxDeleted = 2_000;
/** A mark among the blocks while the tables are being emptied: a block that is left then may have lost its rows. */
const emptyingKey = Uint8Array.of(0);

/**
 * Deploys and transfers of each address, of every valid block of the DAG: which of them are final is decided when they
 * are read. The tables can be deleted without harm, they are made again from the blocks.
 *
 * A block goes in as a whole, and twice is the same as once. If its transfers are not known yet, its deploys go in, and
 * it goes in again later.
 */
export class AccountIndex {
  readonly #store: Store;
  readonly #deletedAtOnce: number;

  /** @param store has the tables of the chain environment */
  constructor(store: Store, deletedAtOnce = maxDeleted) {
    this.#store = store;
    this.#deletedAtOnce = deletedAtOnce;
  }

  has(hash: Uint8Array): boolean {
    return this.#store.table("historyBlocks").has(hash);
  }

  /** Whether a block is in it with all that it moved. */
  hasTransfers(hash: Uint8Array): boolean {
    return this.#store.table("historyBlocks").get(hash)?.[0] === 1;
  }

  /** Blocks that are in it. */
  get size(): number {
    return this.#store.table("historyBlocks").count() - (this.isBeingEmptied ? 1 : 0);
  }

  /** Whether {@link clearSome} was begun and is not at its end. */
  get isBeingEmptied(): boolean {
    return this.#store.table("historyBlocks").has(emptyingKey);
  }

  /** Valid blocks of the DAG, which should all be in it. */
  get wanted(): number {
    return this.#store.table("blocksByHeight").count();
  }

  /** The height from which on all transfers are known. */
  transfersSince(): bigint {
    const gaps = this.#store.table("historyGaps");
    let since = 0n;
    for (const from of [undefined, settledGaps])
      for (const [key] of gaps.range({ from, reverse: true, limit: 1 })) {
        const after = heightInGap(key) + 1n;
        if (after > since) since = after;
      }
    return since;
  }

  /** Blocks that are in it without their transfers, which are still to be found. */
  get countWithoutTransfers(): number {
    let count = 0;
    for (const _ of this.#store.table("historyGaps").range({ to: settledGaps })) count += 1;
    return count;
  }

  /** Hashes of such blocks, by height. @param after the one that was given last */
  blocksWithoutTransfers(
    limit: number,
    after?: { readonly height: bigint; readonly hash: Uint8Array },
  ): BlockWithoutTransfers[] {
    const last = after && gapKey(after.height, after.hash, false);
    const found: BlockWithoutTransfers[] = [];
    for (const [key] of this.#store.table("historyGaps").range({ from: last, to: settledGaps, limit: limit + 1 }))
      if (last === undefined || !equalBytes(key, last)) found.push({ height: heightInGap(key), hash: blockInGap(key) });
    return found.slice(0, limit);
  }

  /** Puts blocks in, in one transaction. */
  add(blocks: readonly IndexedBlock[]): void {
    this.#store.write((tables) => {
      for (const block of blocks) putBlock(tables, block);
    });
  }

  /**
   * Returns the entries of an address, the latest first.
   *
   * @param after the place of the last entry that is known already
   */
  *entries(kind: AccountEntryKind, address: string, after?: AccountPlace): Generator<AccountEntry> {
    const prefix = accountPrefix(kind, address);
    let from = after === undefined ? endOfPlaces : encodePlace(after);
    for (;;) {
      const page = [
        ...this.#store
          .table("historyOfAddress")
          .range({ from: historyKey(prefix, from), to: prefix, reverse: true, limit: pageSize }),
      ];
      // The one that a page begins after is its first.
      const isFirstKnown = page[0] !== undefined && equalBytes(page[0][0], historyKey(prefix, from));
      for (const [key, value] of isFirstKnown ? page.slice(1) : page) yield { place: placeIn(key), value };
      const last = page.at(-1);
      if (page.length < pageSize || last === undefined) return;
      from = encodePlace(placeIn(last[0]));
    }
  }

  /** Returns the entries of an address in one block. */
  *entriesIn(kind: AccountEntryKind, address: string, block: Pick<AccountPlace, "height" | "blockHash">) {
    const prefix = accountPrefix(kind, address);
    const from = historyKey(prefix, encodePlace({ ...block, index: 0 }));
    const last = historyKey(prefix, encodePlace({ ...block, index: 0xffffffff }));
    for (const [key, value] of this.#store.table("historyOfAddress").range({ from, to: last }))
      yield { place: placeIn(key), value } satisfies AccountEntry;
  }

  /** Empties the tables bit by bit. @returns whether more is left */
  clearSome(): boolean {
    let isMore = false;
    this.#store.write((tables) => {
      tables("historyBlocks").delete(emptyingKey);
      let room = this.#deletedAtOnce;
      for (const name of ["historyOfAddress", "historyGaps", "historyBlocks"] as const) {
        const keys = [...tables(name).range({ limit: room })].map(([key]) => key);
        for (const key of keys) tables(name).delete(key);
        room -= keys.length;
      }
      isMore = room === 0;
      if (isMore) tables("historyBlocks").put(emptyingKey, emptyBytes);
    });
    return isMore;
  }
}

const pageSize = 100;

function putBlock(tables: WritableTables, { hash, height, rows, transfers }: IndexedBlock): void {
  for (const { key, value } of rows) tables("historyOfAddress").put(key, value);
  for (const isSettled of [false, true]) {
    const key = gapKey(height, hash, isSettled);
    if (transfers === (isSettled ? "never" : "notYet")) tables("historyGaps").put(key, emptyBytes);
    else tables("historyGaps").delete(key);
  }
  tables("historyBlocks").put(hash, Uint8Array.of(transfers === "found" ? 1 : 0));
}
