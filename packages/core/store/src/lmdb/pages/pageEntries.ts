import { maximumKeyBytes } from "../../Store.js";
import { type PageHead, pageHeadBytes } from "./PageFile.js";

/** The places where an entry of a page may have its value. */
export const entryKinds = { here: 0, longValue: 1, tree: 2 } as const;

/** One entry of a branch or a leaf. */
export interface PageEntry {
  readonly key: Buffer;
  /** For a branch: the page below. */
  readonly child: number;
  /** For a leaf: the kind of entry. */
  readonly kind: number;
  readonly valueBytes: number;
  /** The bytes in the leaf itself: the value, or its place. */
  readonly content: Buffer;
}

/** The bytes in a leaf for a value that has pages of its own. */
export const longValueBytes = 24;
const entryHeadBytes = 8;
const branchChildFactor = 2 ** 32;

/**
 * The entries of a page, in its order.
 *
 * @returns the fault of a page without readable entries
 */
export function pageEntries(page: Buffer, { lower, upper }: PageHead, isLeaf: boolean): readonly PageEntry[] | string {
  const room = page.length - pageHeadBytes;
  if (lower % 2 !== 0 || lower > upper || upper > room) return "its list of entries has an impossible length";
  const entries: PageEntry[] = [];
  let taken = 0;
  for (let at = pageHeadBytes; at < pageHeadBytes + lower; at += 2) {
    const offset = page.readUInt16LE(at);
    if (offset < upper || offset + entryHeadBytes > room) return "an entry lies elsewhere";
    const entry = entryAt(page, pageHeadBytes + offset, isLeaf);
    if (entry === undefined) return "an entry has an impossible length";
    entries.push(entry);
    const bytes = entryHeadBytes + entry.key.length + entry.content.length;
    taken += bytes + (bytes % 2);
  }
  // The entries follow each other up to the end of the page.
  return taken === room - upper ? entries : "its entries do not fill what they take";
}

/** The entries that can be read of a leaf that is damaged; whether they are what was written is another matter. */
export function* readableEntries(page: Buffer, { lower }: PageHead): Generator<PageEntry> {
  const end = Math.min(pageHeadBytes + lower, page.length - 1);
  for (let at = pageHeadBytes; at < end; at += 2) {
    const from = pageHeadBytes + page.readUInt16LE(at);
    const entry = from + entryHeadBytes <= page.length ? entryAt(page, from, true) : undefined;
    if (entry !== undefined) yield entry;
  }
}

function entryAt(page: Buffer, at: number, isLeaf: boolean): PageEntry | undefined {
  const [size, kind, keyBytes] = [page.readUInt32LE(at), page.readUInt16LE(at + 4), page.readUInt16LE(at + 6)];
  const from = at + entryHeadBytes;
  const contentBytes = isLeaf ? (kind === entryKinds.longValue ? longValueBytes : size) : 0;
  const end = from + keyBytes + contentBytes;
  if (end > page.length || keyBytes > maximumKeyBytes || (isLeaf && (keyBytes === 0 || kind > entryKinds.tree)))
    return undefined;
  return {
    ...{ key: page.subarray(from, from + keyBytes), content: page.subarray(from + keyBytes, end) },
    ...{ child: size + kind * branchChildFactor, kind, valueBytes: size },
  };
}
