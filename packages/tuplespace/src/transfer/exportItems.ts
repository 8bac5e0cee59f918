import { hashKey, type StoreItem, type StoreItems, type StoreNodeKey } from "@vedette/protocol";
import type { StateStore } from "../history/StateStore.js";
import { decodePath, element, encodePath, type StartPlace } from "./path.js";
import { TransferError } from "./TransferError.js";
import { type Traversal, traverse } from "./traverse.js";

/** How much one request may cost. */
export interface ExportLimits {
  /** Nodes that are skipped and taken; a peer asks for 750. */
  readonly mostNodes?: number;
  /** Bytes of the answer. */
  readonly mostBytes?: number;
}

/** Number of nodes that the reference asks for. @spec 30 §6.5 */
export const pageSize = 750;

const defaultMostNodes = 20_000;
const defaultMostBytes = 128 << 20;

/**
 * Makes the answer to a request for state items.
 *
 * @spec 30 §6.3, §6.4
 * @returns `undefined` when there is nothing to answer with, as the reference then stays silent
 * @throws {TransferError} when the request is not one that can be served
 * @cost grows with `skip + take` and the size of the answer
 */
export function exportItems(
  store: StateStore,
  startPath: readonly StoreNodeKey[],
  range: { readonly skip: number; readonly take: number },
  limits: ExportLimits = {},
): StoreItems | undefined {
  const { skip, take } = range;
  const most = limits.mostNodes ?? defaultMostNodes;
  if (skip < 0 || take < 0 || skip + take < 1 || skip + take > most) {
    throw new TransferError({ code: "badRange", skip, take, most });
  }
  const place = decodePath(startPath);
  const findNode = (hash: Uint8Array) => store.findNode(hash);
  const listed = listEntries(place, traverse(findNode, place, skip, take));
  if (listed === undefined) return undefined;
  const budget = new ByteBudget(limits.mostBytes ?? defaultMostBytes);
  const historyItems = readItems(listed.nodeHashes, (hash) => store.nodeBytes(hash), budget);
  const dataItems = readItems(listed.leafHashes, (hash) => store.leafBytes(hash), budget);
  return { startPath, lastPath: listed.lastPath, historyItems, dataItems };
}

/** What a page lists, and its last path. */
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
export function listEntries(place: StartPlace, traversal: Traversal): PageEntries | undefined {
  const { nodeHashes, lastPrefix } = traversal;
  let { leafHashes } = traversal;
  const lastNode = nodeHashes[nodeHashes.length - 1];
  // Quirk 30 §6.7(1): the last entry makes room for the last node; where there is no node, a leaf is lost.
  if (lastNode === undefined) leafHashes = leafHashes.slice(0, -1);
  const last = lastNode ?? leafHashes[leafHashes.length - 1];
  if (last === undefined) return undefined;
  const hasMore = lastNode !== undefined && lastPrefix !== undefined;
  const lastPath = hasMore ? [...encodePath(place.root, lastPrefix), element(last)] : [element(last)];
  return { nodeHashes: distinct(nodeHashes), leafHashes: distinct(leafHashes), lastPath };
}

/** Hashes without repetitions, at their first places. @spec 30 §6.4 step 5 */
export function distinct(hashes: readonly Uint8Array[]): Uint8Array[] {
  const seen = new Set<string>();
  const result: Uint8Array[] = [];
  for (const hash of hashes) {
    const key = hashKey(hash);
    if (seen.has(key)) continue;
    seen.add(key);
    result.push(hash);
  }
  return result;
}

class ByteBudget {
  private used = 0;
  constructor(private readonly most: number) {}

  spend(bytes: number): void {
    this.used += bytes;
    if (this.used > this.most) throw new TransferError({ code: "tooLarge", bytes: this.used, most: this.most });
  }
}

function readItems(
  hashes: readonly Uint8Array[],
  read: (hash: Uint8Array) => Uint8Array | undefined,
  budget: ByteBudget,
): StoreItem[] {
  const items: StoreItem[] = [];
  for (const hash of hashes) {
    const value = read(hash);
    if (value === undefined) continue;
    budget.spend(value.length + hash.length);
    items.push({ key: hash.slice(), value });
  }
  return items;
}
