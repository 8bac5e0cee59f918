import { type FileHead, readTreeRecord, type TreeRecord, treeRecordBytes } from "./fileHead.js";
import { type PageSource, pageFlags, pageHeadBytes, readNumber, readPageHead } from "./PageFile.js";
import { entryKinds, longValueBytes, type PageEntry, pageEntries, readableEntries } from "./pageEntries.js";

const numberBytes = 8;

/** A page of a file that is not what was written. */
export interface PageDamage {
  readonly page: number;
  /** The table of the page; `undefined` for pages that hold the tables together. */
  readonly table: string | undefined;
  readonly what: string;
}

/** The extent of a walk, and the callbacks that receive its findings. */
export interface PageWalkOptions {
  readonly damaged: (damage: PageDamage) => void;
  /**
   * Receives each value; the arrays are valid within the call only.
   *
   * @param value `undefined` where it cannot be read
   */
  readonly entry?: (table: string, key: Uint8Array, value: Uint8Array | undefined) => void;
  /** Receives the values that can be read from damaged leaves. */
  readonly doubtful?: (table: string, key: Uint8Array, value: Uint8Array) => void;
  /** Leaves, and what lies in them, are passed over in tables that have more than one. */
  readonly skipsLeaves?: boolean;
}

interface Tree {
  /** `undefined` for the tree of the tables, and that of the free pages. */
  readonly table: string | undefined;
  readonly isFree: boolean;
}

interface Place {
  readonly page: number;
  readonly level: number;
  /** All keys lie from the one to below the other. */
  readonly low: Buffer | undefined;
  readonly high: Buffer | undefined;
}

/**
 * Walks through all pages in use, from the head of the file, and checks them: each has its own number, its entries lie
 * within it and in order, no page is used twice, and the count is right.
 */
export class PageWalk {
  readonly #file: PageSource;
  readonly #head: FileHead;
  readonly #use: PageWalkOptions;
  /** By number; the two heads are. */
  readonly reached: Uint8Array;
  readonly #tables: (readonly [name: string, record: TreeRecord])[] = [];
  constructor(file: PageSource, head: FileHead, use: PageWalkOptions) {
    this.#file = file;
    this.#head = head;
    this.#use = use;
    this.reached = new Uint8Array(head.lastPage + 1).fill(1, 0, 2);
  }

  /** The tables that the file names. */
  get tables(): readonly string[] {
    return this.#tables.map(([name]) => name);
  }

  /** Yields after each page. */
  *run(): Generator<void> {
    const { main, free } = this.#head;
    yield* this.#tree(main, { table: undefined, isFree: false });
    for (const [table, record] of this.#tables) yield* this.#tree(record, { table, isFree: false });
    if (this.#use.skipsLeaves !== true) yield* this.#tree(free, { table: undefined, isFree: true });
  }

  *#tree(record: TreeRecord, tree: Tree): Generator<void> {
    const found = { branchPages: 0, leafPages: 0, overflowPages: 0, entries: 0 };
    const places: Place[] = [];
    if (record.depth > 0) places.push({ page: record.root, level: 1, low: undefined, high: undefined });
    let isWhole = true;
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      const isLeaf = place.level === record.depth;
      if (isLeaf && record.depth > 1 && tree.table !== undefined && this.#use.skipsLeaves === true) continue;
      const entries = this.#entries(place, tree, isLeaf);
      isWhole = isWhole && entries !== undefined;
      if (isLeaf) found.leafPages += 1;
      else found.branchPages += 1;
      if (isLeaf) {
        found.entries += entries?.length ?? 0;
        for (const entry of entries ?? []) found.overflowPages += this.#leafEntry(entry, place.page, tree);
      } else places.push(...childrenOf(entries ?? [], place).reverse());
      yield;
    }
    const isCounted = this.#use.skipsLeaves !== true && isWhole;
    const differs = (Object.keys(found) as (keyof typeof found)[]).filter((name) => found[name] !== record[name]);
    if (isCounted && differs.length > 0) {
      const [name] = differs as [keyof typeof found];
      this.#damaged(record.root, tree, `it has ${found[name]} ${words[name]} and not ${record[name]}`);
    }
  }

  #entries({ page, level, low, high }: Place, tree: Tree, isLeaf: boolean): readonly PageEntry[] | undefined {
    const { pageBytes } = this.#head;
    const bytes = this.#claim(page, 1, tree) ? this.#file.read(page * pageBytes, pageBytes) : undefined;
    if (bytes === undefined) return undefined;
    const wrong = this.#wrongHead(bytes, page, isLeaf ? pageFlags.leaf : pageFlags.branch);
    const entries = wrong ?? pageEntries(bytes, readPageHead(bytes), isLeaf);
    const problem =
      typeof entries === "string" ? entries : disorder(entries, { low, high, isFree: tree.isFree, isLeaf, level });
    if (problem === undefined) return entries as readonly PageEntry[];
    this.#damaged(page, tree, problem);
    if (isLeaf && tree.table !== undefined)
      for (const entry of readableEntries(bytes, readPageHead(bytes))) this.#doubtfulEntry(entry, tree.table);
    return undefined;
  }

  #doubtfulEntry(entry: PageEntry, table: string): void {
    const value = storedValue(this.#file, this.#head.pageBytes, entry);
    if (value !== undefined) this.#use.doubtful?.(table, entry.key, value);
  }

  /** @returns how many pages its value has of its own */
  #leafEntry(entry: PageEntry, page: number, tree: Tree): number {
    const { table } = tree;
    if (entry.kind === entryKinds.tree || (table === undefined && !tree.isFree)) {
      if (table !== undefined || tree.isFree || entry.content.length !== treeRecordBytes)
        this.#damaged(page, tree, "an entry is no value");
      else this.#tables.push([entry.key.toString("latin1").replaceAll("\0", ""), readTreeRecord(entry.content, 0)]);
      return 0;
    }
    const isLong = entry.kind === entryKinds.longValue;
    const value = isLong ? this.#longValue(entry, tree) : entry.content;
    if (tree.isFree) this.#freePages(value, page, tree);
    else this.#use.entry?.(table!, entry.key, value);
    return isLong ? readNumber(entry.content, longValueCountAt) : 0;
  }

  #longValue({ content, valueBytes }: PageEntry, tree: Tree): Buffer | undefined {
    const { pageBytes } = this.#head;
    const [page, count] = [readNumber(content, 0), readNumber(content, longValueCountAt)];
    if (count * pageBytes < valueBytes + pageHeadBytes || !this.#claim(page, count, tree)) {
      this.#damaged(page, tree, "a long value lies elsewhere");
      return undefined;
    }
    const bytes = this.#file.read(page * pageBytes, valueBytes + pageHeadBytes);
    if (bytes === undefined) return undefined;
    const wrong =
      this.#wrongHead(bytes, page, pageFlags.overflow) ??
      (readPageHead(bytes).count === count ? undefined : "it has another length");
    if (wrong !== undefined) this.#damaged(page, tree, wrong);
    return wrong === undefined ? bytes.subarray(pageHeadBytes) : undefined;
  }

  #freePages(value: Buffer | undefined, page: number, tree: Tree): void {
    const free = value === undefined ? undefined : freePagesOf(value);
    const isFree = free?.every(([first, count]) => this.#claim(first, count, tree)) ?? false;
    if (!isFree) this.#damaged(page, tree, "its list of free pages is none");
  }

  #wrongHead(bytes: Buffer, page: number, kind: number): string | undefined {
    const head = readPageHead(bytes);
    if (head.number !== page) return `its head has the number ${head.number}`;
    if (head.flags !== kind) return "it is of another kind than its place";
    return head.transaction > this.#head.transaction ? "it is newer than the file" : undefined;
  }

  /** Takes pages for one use. */
  #claim(first: number, count: number, tree: Tree): boolean {
    const isWithin = first >= 2 && count >= 1 && first + count <= this.reached.length;
    const isOwn = isWithin && this.reached.subarray(first, first + count).every((used) => used === 0);
    if (isOwn) this.reached.fill(1, first, first + count);
    else this.#damaged(first, tree, isWithin ? "it is used twice" : "it lies outside of the file");
    return isOwn;
  }

  #damaged(page: number, { table }: Tree, what: string): void {
    this.#use.damaged({ page, table, what });
  }
}

/** Returns the value of a leaf's entry without other checks of the entry. */
export function storedValue(file: PageSource, pageBytes: number, entry: PageEntry): Buffer | undefined {
  const { kind, content, valueBytes } = entry;
  if (kind === entryKinds.here) return content;
  if (kind !== entryKinds.longValue) return undefined;
  return file.read(readNumber(content, 0) * pageBytes + pageHeadBytes, valueBytes);
}

const longValueCountAt = longValueBytes - 8;
const words = {
  branchPages: "branches",
  leafPages: "leaves",
  overflowPages: "pages of long values",
  entries: "entries",
};

function childrenOf(entries: readonly PageEntry[], { level, low, high }: Place): Place[] {
  return entries.map(({ child, key }, index) => ({
    ...{ page: child, level: level + 1 },
    low: index === 0 ? low : key,
    high: entries[index + 1]?.key ?? high,
  }));
}

interface Order extends Pick<Place, "low" | "high" | "level"> {
  readonly isFree: boolean;
  readonly isLeaf: boolean;
}

function disorder(entries: readonly PageEntry[], { low, high, level, isFree, isLeaf }: Order): string | undefined {
  if (entries.length < (isLeaf ? 1 : 2)) return `it has ${entries.length} entries`;
  // The first key of a branch is that of none.
  const keys = entries.slice(isLeaf ? 0 : 1).map(({ key }) => key);
  const compare = isFree ? compareNumbers : Buffer.compare;
  const isSorted = keys.every((key, index) => index === 0 || compare(keys[index - 1]!, key) < 0);
  const [first, last] = [keys[0]!, keys.at(-1)!];
  const isWithin =
    level === 1 || ((low === undefined || compare(low, first) <= 0) && (high === undefined || compare(last, high) < 0));
  return isSorted && isWithin ? undefined : "its keys are not in order";
}

/** Keys of the free pages are numbers. */
function compareNumbers(left: Buffer, right: Buffer): number {
  if (left.length !== 8 || right.length !== 8) return 1;
  return readNumber(left, 0) - readNumber(right, 0);
}

/**
 * The pages that a list of free ones names.
 *
 * @returns pages that lie side by side, each with their number; `undefined` where the list is none
 */
function freePagesOf(list: Buffer): readonly (readonly [first: number, count: number])[] | undefined {
  if (list.length < numberBytes || list.length % numberBytes !== 0) return undefined;
  const length = readNumber(list, 0);
  if ((length + 1) * numberBytes > list.length) return undefined;
  const free: (readonly [number, number])[] = [];
  for (let index = 1; index <= length; index += 1) {
    const value = Number(list.readBigInt64LE(index * numberBytes));
    if (value === 0) continue;
    if (value > 0) {
      free.push([value, 1]);
      continue;
    }
    // Several side by side: how many, as a negative number, and the first of them.
    index += 1;
    if (index > length) return undefined;
    free.push([Number(list.readBigInt64LE(index * numberBytes)), -value]);
  }
  return free;
}
