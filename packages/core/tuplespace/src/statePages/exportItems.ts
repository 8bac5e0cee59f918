import { hashKey, type StoreItem, type StoreItems, type StoreNodeKey } from "@vedette/protocol";
import type { StateStore } from "../history/StateStore.js";
import { decodePath, element, encodePath, type PageStart } from "./path.js";
import { StatePageError } from "./StatePageError.js";
import { type Traversal, traverse } from "./traverse.js";

/** How much one request may cost. */
export interface ExportLimits {
  /** Nodes that are skipped and taken; a peer requests 750. */
  readonly maxNodes?: number;
  /** Bytes of the answer. */
  readonly maxBytes?: number;
  /** Bytes of the answer that are only repetitions. */
  readonly maxRepeatedBytes?: number;
}

/** Number of nodes that rnode requests. @spec 30 §6.5 */
export const pageSize = 750;

const defaultMostNodes = 20_000;
const defaultMostBytes = 128 << 20;
const defaultMostRepeatedBytes = 8 << 20;

/**
 * Makes the answer to a request for state items.
 *
 * Quirk 30 §6.7(2): what the traversal meets several times is sent as often, since rnode's requester counts
 * so; its exporter does not, and is refused by it. Where that would be more than the limit, as with a join over
 * thousands of channels, everything is sent once: then requesters of the other kinds still take the page.
 *
 * @spec 30 §6.3, §6.4
 * @returns `undefined` when there is nothing to answer with, as rnode then stays silent
 * @throws {StatePageError} when the request is not one that can be served
 * @cost grows with `skip + take` and the size of the answer
 */
export function exportItems(
  store: StateStore,
  startPath: readonly StoreNodeKey[],
  range: { readonly skip: number; readonly take: number },
  limits: ExportLimits = {},
): StoreItems | undefined {
  const { skip, take } = range;
  const most = limits.maxNodes ?? defaultMostNodes;
  if (skip < 0 || take < 0 || skip + take < 1 || skip + take > most) {
    throw new StatePageError({ code: "badRange", skip, take, most });
  }
  const place = decodePath(startPath);
  const findNode = (hash: Uint8Array) => store.findNode(hash);
  const listed = listEntries(place, traverse(findNode, place, skip, take));
  if (listed === undefined) return undefined;
  const items = new ItemReader(limits, !store.form.pagesAreSets);
  const historyItems = items.read(listed.nodeHashes, (hash) => store.nodeBytes(hash));
  const dataItems = items.read(listed.leafHashes, (hash) => store.leafBytes(hash));
  const list = (read: readonly ReadItem[]) => (items.repeats ? read : read.filter(({ isFirst }) => isFirst));
  const strip = ({ key, value }: ReadItem): StoreItem => ({ key, value });
  return {
    startPath,
    lastPath: listed.lastPath,
    historyItems: list(historyItems).map(strip),
    dataItems: list(dataItems).map(strip),
  };
}

/** The entries of a page, with repetitions, and its last path. */
export interface PageEntries {
  readonly nodeHashes: readonly Uint8Array[];
  readonly leafHashes: readonly Uint8Array[];
  readonly lastPath: readonly StoreNodeKey[];
}

/**
 * Turns a traversal into the entries of a page.
 *
 * @spec 30 §6.4
 * @returns `undefined` for an empty page
 */
export function listEntries(place: PageStart, traversal: Traversal): PageEntries | undefined {
  const { nodeHashes, lastPrefix } = traversal;
  let { leafHashes } = traversal;
  const lastNode = nodeHashes[nodeHashes.length - 1];
  // Quirk 30 §6.7(1): the last entry makes room for the last node; where there is no node, a leaf is lost.
  if (lastNode === undefined) leafHashes = leafHashes.slice(0, -1);
  const last = lastNode ?? leafHashes[leafHashes.length - 1];
  if (last === undefined) return undefined;
  const hasMore = lastNode !== undefined && lastPrefix !== undefined;
  const lastPath = hasMore ? [...encodePath(place.root, lastPrefix), element(last)] : [element(last)];
  return { nodeHashes, leafHashes, lastPath };
}

interface ReadItem extends StoreItem {
  /** Not a repetition. */
  readonly isFirst: boolean;
}

/** Reads items, each once, within the limits of one page. */
class ItemReader {
  readonly #most: number;
  readonly #maxRepeated: number;
  readonly #mayRepeat: boolean;
  #bytes = 0;
  #repeatedBytes = 0;

  constructor(
    { maxBytes = defaultMostBytes, maxRepeatedBytes = defaultMostRepeatedBytes }: ExportLimits,
    mayRepeat: boolean,
  ) {
    this.#mayRepeat = mayRepeat;
    this.#most = maxBytes;
    this.#maxRepeated = Math.min(maxRepeatedBytes, maxBytes);
  }

  /** Whether repetitions are wanted, and there is room for them, too. */
  get repeats(): boolean {
    return (
      this.#mayRepeat && this.#repeatedBytes <= this.#maxRepeated && this.#bytes + this.#repeatedBytes <= this.#most
    );
  }

  /** Keys absent in the store are left out. @throws {StatePageError} `tooLarge` */
  read(hashes: readonly Uint8Array[], bytesOf: (hash: Uint8Array) => Uint8Array | undefined): ReadItem[] {
    const known = new Map<string, StoreItem>();
    const items: ReadItem[] = [];
    for (const hash of hashes) {
      const mapKey = hashKey(hash);
      const earlier = known.get(mapKey);
      if (earlier !== undefined) {
        this.#repeatedBytes += earlier.value.length + hash.length;
        items.push({ ...earlier, isFirst: false });
        continue;
      }
      const value = bytesOf(hash);
      if (value === undefined) continue;
      this.#bytes += value.length + hash.length;
      if (this.#bytes > this.#most)
        throw new StatePageError({ code: "tooLarge", bytes: this.#bytes, most: this.#most });
      const item = { key: hash.slice(), value };
      known.set(mapKey, item);
      items.push({ ...item, isFirst: true });
    }
    return items;
  }
}
