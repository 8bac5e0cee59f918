import type { RootDatabase } from "lmdb";
import { requireFreeSpace } from "../freeSpace/TransactionSpaceCheck.js";
import { StoreError } from "../StoreError.js";
import { checksum } from "../seal/checksum.js";
import type { TableName } from "../tables.js";
import {
  databaseOptions,
  format,
  formatKey,
  formatPattern,
  formatSumKey,
  formatTable,
  unsealedFormat,
  unsealedFormats,
} from "./layout.js";

/** Returns the entries of the format's table in a new environment. */
export function formatEntries(): readonly (readonly [key: Uint8Array, value: Uint8Array])[] {
  const text = new TextEncoder().encode(format);
  return [
    [formatKey, text],
    [formatSumKey, sumOf(text)],
  ];
}

/**
 * The format that a mark states; `undefined` where the mark is damaged. Formats without seals had no checksum.
 *
 * @param text the stored format
 * @param sum its stored checksum
 */
export function formatOf(text: Uint8Array | undefined, sum: Uint8Array | undefined): string | undefined {
  if (text === undefined || (sum !== undefined && Buffer.compare(sum, sumOf(text)) !== 0)) return undefined;
  const format = new TextDecoder().decode(text);
  const isWhole = formatPattern.test(format) && (sum === undefined) === unsealedFormats.has(format);
  return isWhole ? format : undefined;
}

/**
 * Checks the mark that each of our environments has; an earlier one that is to be written becomes the last without
 * seals.
 *
 * @returns whether the values have seals
 * @throws {StoreError} `foreign`, `otherFormat`, `damaged`, `full`
 */
export function checkFormat(
  path: string,
  environment: RootDatabase<Uint8Array, Uint8Array>,
  { tables, readOnly = false }: { readonly tables: readonly TableName[]; readonly readOnly?: boolean },
): boolean {
  const facts: { entryCount?: number } = environment.getStats();
  if ((facts.entryCount ?? 0) === 0) throw new StoreError({ code: "damaged", path, reason: "it has no tables" });
  const names = new Set([...environment.getKeys()].map((key) => new TextDecoder().decode(key).replace("\0", "")));
  if (!names.has(formatTable)) throw new StoreError({ code: "foreign", path });
  const table = environment.openDB<Uint8Array, Uint8Array>({ name: formatTable, ...databaseOptions });
  const found = formatOf(table?.getBinary(formatKey), table?.getBinary(formatSumKey));
  if (found === undefined)
    throw new StoreError({ code: "damaged", path, reason: "the mark of its format cannot be read" });
  const isSealed = found === format;
  if (!isSealed && !unsealedFormats.has(found))
    throw new StoreError({ code: "otherFormat", path, found, expected: format });
  const isMarked = isSealed || found === unsealedFormat;
  if (readOnly || (isMarked && tables.every((name) => names.has(name)))) return isSealed;
  // The mark, and tables that are not there yet.
  requireFreeSpace(path);
  if (!isMarked) table?.putSync(formatKey, new TextEncoder().encode(unsealedFormat));
  return isSealed;
}

function sumOf(text: Uint8Array): Uint8Array {
  const sum = new Uint8Array(4);
  new DataView(sum.buffer).setUint32(0, checksum(text, 0));
  return sum;
}
