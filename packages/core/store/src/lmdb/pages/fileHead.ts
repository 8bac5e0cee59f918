import { type PageSource, pageFlags, pageHeadBytes, readNumber, readPageHead } from "./PageFile.js";

/** The record that names a tree of pages. */
export interface TreeRecord {
  /** Levels; none where it is empty. */
  readonly depth: number;
  readonly branchPages: number;
  readonly leafPages: number;
  readonly overflowPages: number;
  readonly entries: number;
  readonly root: number;
}

/** The content of a file's head, after its last whole transaction. */
export interface FileHead {
  readonly pageBytes: number;
  readonly lastPage: number;
  readonly transaction: number;
  /** The pages that nothing uses. */
  readonly free: TreeRecord;
  /** The trees of the tables, by their names. */
  readonly main: TreeRecord;
}

export const treeRecordBytes = 48;
/** The version of the file. */
const metaVersion = 2;
const magic = 0xbeefc0de;
const at = { magic: 0, version: 4, free: 24, main: 72, lastPage: 120, transaction: 128 } as const;
const metaBytes = pageHeadBytes + 144;
const usualPageBytes = 4096;

export function readTreeRecord(bytes: Buffer, from: number): TreeRecord {
  return {
    ...{ depth: bytes.readUInt16LE(from + 6), branchPages: readNumber(bytes, from + 8) },
    ...{ leafPages: readNumber(bytes, from + 16), overflowPages: readNumber(bytes, from + 24) },
    ...{ entries: readNumber(bytes, from + 32), root: readNumber(bytes, from + 40) },
  };
}

/**
 * Reads both heads of a file, of which each transaction writes one.
 *
 * @param damaged receives what is wrong with them
 * @returns the newer one of those that are whole; `undefined` where none is
 */
export function readFileHead(file: PageSource, damaged: (page: number, what: string) => void): FileHead | undefined {
  const first = readMeta(file, 0, 0);
  const pageBytes = first?.pageBytes ?? usualPageBytes;
  const second = readMeta(file, 1, pageBytes);
  for (const [page, head] of [first, second].entries())
    if (head === undefined) damaged(page, "the head of the file cannot be read");
  if (first === undefined || second === undefined) return first ?? second;
  const [older, newer] = first.transaction > second.transaction ? [second, first] : [first, second];
  // A file that has just been made, or written anew, has one head of which no transaction is.
  const isFirst = older.transaction === 0 && older.lastPage === 1;
  const follows = newer.transaction === older.transaction + 1 && rootTime(file, newer) >= rootTime(file, older);
  if (!isFirst && !follows) damaged(newer === first ? 0 : 1, "the heads of the file do not follow one another");
  return newer;
}

/**
 * The transaction that wrote the root of a head's tables; 0 where there is none, or it cannot be read. A later head never
 * has an earlier one. If the number of a head was damaged, that of its root shows which head is the later.
 */
function rootTime(file: PageSource, { main, pageBytes }: FileHead): number {
  const page = main.depth === 0 ? undefined : file.read(main.root * pageBytes, pageHeadBytes);
  return page === undefined ? 0 : readPageHead(page).transaction;
}

function readMeta(file: PageSource, page: number, from: number): FileHead | undefined {
  const bytes = file.read(from, metaBytes);
  if (bytes === undefined) return undefined;
  const meta = bytes.subarray(pageHeadBytes);
  const pageBytes = meta.readUInt32LE(at.free);
  const head = {
    ...{ pageBytes, lastPage: readNumber(meta, at.lastPage), transaction: readNumber(meta, at.transaction) },
    ...{ free: readTreeRecord(meta, at.free), main: readTreeRecord(meta, at.main) },
  };
  const isMeta =
    (bytes.readUInt16LE(18) & pageFlags.meta) !== 0 &&
    meta.readUInt32LE(at.magic) === magic &&
    (meta.readUInt32LE(at.version) & 0xffff) === metaVersion;
  const isSize = pageBytes >= 512 && pageBytes <= 65_536 && (pageBytes & (pageBytes - 1)) === 0;
  const fits = isSize && (head.lastPage + 1) * pageBytes <= file.sizeBytes;
  // The number of the transaction decides which of the heads it writes.
  const isOwn = head.transaction === 0 || head.transaction % 2 === page;
  return isMeta && fits && isOwn ? head : undefined;
}
