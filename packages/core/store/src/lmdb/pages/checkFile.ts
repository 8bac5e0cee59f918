import { statSync } from "node:fs";
import { join } from "node:path";
import { StoreError } from "../../StoreError.js";
import { Seal } from "../../seal/Seal.js";
import { type TableName, tables } from "../../tables.js";
import { formatOf } from "../formatMark.js";
import { dataFile, formatKey, formatSumKey, formatTable, unsealedFormats } from "../layout.js";
import { type FileHead, readFileHead } from "./fileHead.js";
import { PageFile, type PageSource } from "./PageFile.js";
import { PageWalk, type PageWalkOptions } from "./PageWalk.js";

/** A part of a file that differs from the written one. */
export interface FileDamage {
  /** `undefined` for what holds the tables together. */
  readonly table: string | undefined;
  /** The key of a damaged value; left out: a page is damaged, and its content is unknown. */
  readonly key?: Uint8Array;
  readonly what: string;
}

/** Receives what a file has. */
export interface FileLook {
  readonly damaged: (damage: FileDamage) => void;
  /** Each value as it was written; used within the call only. */
  readonly entry?: (table: string, key: Uint8Array, value: Uint8Array) => void;
  readonly skipsLeaves?: boolean;
  /** Whether each page has to be used, or to be named as one that is not. */
  readonly needsEachPage?: boolean;
}

/** The facts of a file, apart from its entries. */
export interface LookedFile {
  readonly head: FileHead;
  readonly isSealed: boolean;
  /** By page, whether something uses it. */
  readonly reached: Uint8Array;
}

/** Files up to this size are looked through before they are opened: it takes less than a second. */
const wholeLookBytes = 64 << 20;

/**
 * Looks through the file of an environment, past LMDB, which trusts what it reads. No process may write it meanwhile.
 *
 * Yields after each page.
 *
 * @returns `undefined` where not even its head can be read
 */
export function* lookThrough(file: PageSource, look: FileLook): Generator<void, LookedFile | undefined> {
  const { damaged, skipsLeaves = false } = look;
  const head = readFileHead(file, (page, what) => damaged({ table: undefined, what: `page ${page}: ${what}` }));
  if (head === undefined) return undefined;
  const isSealed = isSealedFile(file, head, damaged);
  const seals = new Map<string, Seal>();
  const sealOf = (table: string): Seal => {
    const seal = seals.get(table) ?? new Seal(table as TableName);
    seals.set(table, seal);
    return seal;
  };
  const use: PageWalkOptions = {
    skipsLeaves,
    damaged: ({ page, table, what }) => damaged({ table, what: `page ${page}: ${what}` }),
    entry(table, key, stored) {
      const isOwn = isSealed && table !== formatTable;
      const value = stored === undefined || !isOwn ? stored : sealOf(table).open(key, stored);
      // A long value that is elsewhere has been reported.
      if (value === undefined) damaged({ table, key: Uint8Array.from(key), what: "it is not what was written" });
      else look.entry?.(table, key, value);
    },
    doubtful(table, key, stored) {
      const value = isSealed ? sealOf(table).open(key, stored) : undefined;
      if (value !== undefined) look.entry?.(table, key, value);
    },
  };
  const walk = new PageWalk(file, head, use);
  yield* walk.run();
  const lost = look.needsEachPage === true ? walk.reached.indexOf(0) : -1;
  if (lost >= 0) damaged({ table: undefined, what: `page ${lost}: nothing leads to it, and it is not free` });
  return { head, isSealed, reached: walk.reached };
}

/**
 * The size of an environment's file where {@link requireWholeFile} does not look at its values, else `undefined`.
 *
 * @param path of the environment
 * @spec 30 §5.8
 */
export function uncheckedBytes(path: string): number | undefined {
  const sizeBytes = statSync(join(path, dataFile), { throwIfNoEntry: false })?.size ?? 0;
  return sizeBytes > wholeLookBytes ? sizeBytes : undefined;
}

/**
 * Looks at a file before it is opened: all of a small one; of a large one what leads to its values, each of which is
 * checked when it is read.
 *
 * @throws {StoreError} `damaged`
 */
export function requireWholeFile(path: string): void {
  using file = new PageFile(join(path, dataFile));
  const damages: FileDamage[] = [];
  const look = {
    damaged: (damage: FileDamage) => void damages.push(damage),
    skipsLeaves: file.sizeBytes > wholeLookBytes,
  };
  for (const _page of lookThrough(file, look)) if (damages.length > 0) break;
  const [first] = damages;
  if (first !== undefined) throw new StoreError({ code: "damaged", path, reason: damageText(first) });
}

/** Returns the damage in words. */
export function damageText({ table, key, what }: FileDamage): string {
  const place = table === undefined ? "" : `table ${table}, `;
  return key === undefined ? `${place}${what}` : `${place}under ${Buffer.from(key).toString("hex")}: ${what}`;
}

/** Whether the values of a file have seals. */
function isSealedFile(file: PageSource, head: FileHead, damaged: (damage: FileDamage) => void): boolean {
  const marks = new Map<string, Uint8Array>();
  let isWhole = true;
  const walk = new PageWalk(file, head, {
    skipsLeaves: true,
    damaged: () => {
      isWhole = false;
    },
    entry(table, key, value) {
      if (table === formatTable && value !== undefined) marks.set(Buffer.from(key).toString(), Uint8Array.from(value));
    },
  });
  for (const _page of walk.run());
  // It is not our file. One of ours with a changed name of its mark is: its values would be read with their seals.
  const isOurs = walk.tables.some((name) => Object.hasOwn(tables, name));
  if (marks.size === 0 && isWhole && !isOurs) return false;
  const [text, sum] = [formatKey, formatSumKey].map((key) => marks.get(new TextDecoder().decode(key)));
  const found = formatOf(text, sum);
  if (found === undefined && isWhole) damaged({ table: formatTable, what: "the mark of its format cannot be read" });
  // Where the format is unknown, a value with a seal is right, and one without is not taken for right.
  return found === undefined || !unsealedFormats.has(found);
}
