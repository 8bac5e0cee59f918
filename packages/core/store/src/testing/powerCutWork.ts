import { createHash } from "node:crypto";
import type { Store } from "../Store.js";
import { type TableName, tablesOf } from "../tables.js";

/** Transactions of the work. */
export const transactions = 40;

const names = tablesOf("chain").slice(0, 6);
const counterTable: TableName = "ownProposals";
const counterKey = Uint8Array.of(1);

/** Returns the content of the tables after this many transactions: `<table> <key>` → value. */
export function contentAfter(count: number): Map<string, Uint8Array> {
  const content = new Map<string, Uint8Array>();
  for (let number = 1; number <= count; number += 1)
    for (const [table, key, value] of changesOf(number))
      if (value === undefined) content.delete(`${table} ${key}`);
      else content.set(`${table} ${key}`, value);
  return content;
}

/** Does the transactions that are missing, one after another, and calls `done` after each. */
export function work(store: Store, done: (number: number) => void): void {
  for (let number = transactionsIn(store) + 1; number <= transactions; number += 1) {
    store.write((tables) => {
      for (const [table, key, value] of changesOf(number))
        if (value === undefined) tables(table).delete(Buffer.from(key));
        else tables(table).put(Buffer.from(key), value);
      tables(counterTable).put(counterKey, Uint8Array.of(number));
    });
    done(number);
  }
}

/** Returns how many of the transactions a store holds, by its own count. */
export function transactionsIn(store: Store): number {
  return store.table(counterTable).get(counterKey)?.[0] ?? 0;
}

/** Returns the content of the tables, without the count. */
export function contentOf(store: Store): Map<string, Uint8Array> {
  const content = new Map<string, Uint8Array>();
  for (const table of names)
    for (const [key, value] of store.table(table).range()) content.set(`${table} ${Buffer.from(key)}`, value);
  return content;
}

/** Values of a page and of many, new ones, others in their place, and some that go away, so that pages are reused. */
function* changesOf(number: number): Generator<readonly [TableName, string, Uint8Array | undefined]> {
  const bytes = createHash("sha512").update(`transaction ${number}`).digest();
  for (let index = 0; index < 12; index += 1) {
    const table = names[bytes[index]! % names.length]!;
    const key = `key ${bytes[index + 12]! % 40}`;
    const sizeBytes = [0, 30, 700, 3_000, 30_000][bytes[index + 24]! % 5]!;
    yield [table, key, bytes[index + 36]! < 60 ? undefined : new Uint8Array(sizeBytes).fill(number)];
  }
}
