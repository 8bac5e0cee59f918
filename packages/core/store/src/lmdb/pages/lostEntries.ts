import { Seal } from "../../seal/Seal.js";
import type { TableName } from "../../tables.js";
import type { LookedFile } from "./checkFile.js";
import { type PageSource, pageFlags, readPageHead } from "./PageFile.js";
import { storedValue } from "./PageWalk.js";
import { readableEntries } from "./pageEntries.js";

/** An entry that no tree leads to any more. */
export interface LostEntry {
  readonly table: TableName;
  readonly key: Uint8Array;
  readonly value: Uint8Array;
}

const isHash = ({ length }: Uint8Array): boolean => length === 32;
const isNumbered = (key: Uint8Array): boolean => key[0] === 1;

/** The values of these keys never change, so that they may come from unused pages. */
const lasting: ReadonlyMap<TableName, (key: Uint8Array) => boolean> = new Map([
  ["history", isHash],
  ["changedHistory", isHash],
  ["cold", isHash],
  ["blocks", isHash],
  ["packedBlocks", isNumbered],
  ["blockParts", isNumbered],
]);

/**
 * Looks for entries on pages that are unreachable because of damage: their seals identify their tables. Only for tables
 * with values that never change, since old pages are among them.
 */
export function* lostEntries(
  file: PageSource,
  { head, reached, isSealed }: LookedFile,
  incomplete: ReadonlySet<TableName>,
): Generator<LostEntry> {
  const tables = [...lasting].filter(([table]) => incomplete.has(table));
  if (!isSealed || tables.length === 0) return;
  const sought = tables.map(([table, isKey]) => ({ table, isKey, seal: new Seal(table) }));
  for (let page = 2; page <= head.lastPage; page += 1) {
    if (reached[page] === 1) continue;
    const bytes = file.read(page * head.pageBytes, head.pageBytes);
    const pageHead = bytes && readPageHead(bytes);
    if (bytes === undefined || pageHead?.flags !== pageFlags.leaf) continue;
    for (const entry of readableEntries(bytes, pageHead)) {
      const stored = storedValue(file, head.pageBytes, entry);
      if (stored === undefined) continue;
      for (const { table, isKey, seal } of sought) {
        const value = isKey(entry.key) ? seal.open(entry.key, stored) : undefined;
        if (value !== undefined) yield { table, key: entry.key, value };
      }
    }
  }
}
