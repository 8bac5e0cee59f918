import { blake2b256, equalBytes } from "@vedette/crypto";
import { hashKey, type StoreItem, type StoreItems, type StoreNodeKey } from "@vedette/protocol";
import type { SpaceDialect } from "../form/SpaceDialect.js";
import { HistoryError } from "../history/HistoryError.js";
import { RadixNode } from "../history/RadixNode.js";
import { listEntries, type PageEntries } from "./exportItems.js";
import { decodePath, encodePath } from "./path.js";
import { StatePageError } from "./StatePageError.js";
import { type FindNode, type Traversal, traverse } from "./traverse.js";

/** The facts that a requester knows when a page comes. */
export interface PageRequest {
  readonly startPath: readonly StoreNodeKey[];
  readonly take: number;
  /** Finds nodes of earlier pages, for the way from the root to the page's place. */
  readonly ownNode: FindNode;
  /** The form of the state. */
  readonly form: Pick<SpaceDialect, "leafHash" | "pagesAreSets">;
}

/** A page that matches its request. */
export interface CheckedPage {
  /** Where the next page begins; `undefined` after the last one. */
  readonly nextPath: readonly StoreNodeKey[] | undefined;
  /** A leaf that the sender left out by rule; it must be requested in another way. */
  readonly missingLeaf: Uint8Array | undefined;
}

/**
 * Checks that a page is exactly the requested part of the tree.
 *
 * More tolerant than rnode where that refuses honest pages: repeated hashes count once, sent once or as often as the
 * traversal meets them (30 §6.7(2)), and a page of leaves alone may lack its last one (30 §6.7(1)). The path to the
 * next page is worked out here and not taken from the sender.
 *
 * @spec 30 §6.6
 * @throws {StatePageError}
 * @cost hashes all of the page
 */
export function checkItems(request: PageRequest, page: StoreItems): CheckedPage {
  const { take, form } = request;
  if (page.historyItems.length > take) {
    throw new StatePageError({ code: "tooManyItems", most: take, received: page.historyItems.length });
  }
  const received = decodeNodes(page.historyItems);
  const place = decodePath(request.startPath);
  const findNode: FindNode = (hash) => received.get(hashKey(hash)) ?? request.ownNode(hash);
  const traversal = traverseReceived(() => traverse(findNode, place, 0, take));
  const listed = listEntries(place, traversal);
  if (listed === undefined && traversal.leafHashes.length === 0) {
    throw new StatePageError({ code: "nodeNotReceived", hash: place.root });
  }
  const missingLeaf = compareKeys(page, listed, traversal, form.pagesAreSets);
  for (const { key, value } of page.dataItems) {
    const actual = form.leafHash(value);
    if (!equalBytes(actual, key)) throw new StatePageError({ code: "leafHash", key, actual });
  }
  const { lastPrefix } = traversal;
  return { nextPath: lastPrefix === undefined ? undefined : encodePath(place.root, lastPrefix), missingLeaf };
}

function decodeNodes(items: readonly StoreItem[]): Map<string, RadixNode> {
  const nodes = new Map<string, RadixNode>();
  for (const { key, value } of items) {
    const actual = blake2b256(value);
    if (!equalBytes(actual, key)) throw new StatePageError({ code: "nodeHash", key, actual });
    try {
      nodes.set(hashKey(key), new RadixNode(value));
    } catch (error) {
      if (!(error instanceof HistoryError)) throw error;
      throw new StatePageError({ code: "nodeMalformed", key, detail: error.message });
    }
  }
  return nodes;
}

function traverseReceived(run: () => Traversal): Traversal {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof StatePageError) || error.failure.code !== "nodeNotFound") throw error;
    throw new StatePageError({ code: "nodeNotReceived", hash: error.failure.hash });
  }
}

/** @returns the leaf that is missing by rule, if one is */
function compareKeys(
  page: StoreItems,
  listed: PageEntries | undefined,
  traversal: Traversal,
  areSets: boolean,
): Uint8Array | undefined {
  const sameHashes = areSets ? sameSet : sameList;
  const nodeKeys = distinct(page.historyItems.map(({ key }) => key));
  if (!sameHashes(nodeKeys, distinct(listed?.nodeHashes ?? []))) throw new StatePageError({ code: "historyItems" });
  const leafKeys = distinct(page.dataItems.map(({ key }) => key));
  const all = distinct(traversal.leafHashes);
  if (sameHashes(leafKeys, all)) return undefined;
  if (!sameHashes(leafKeys, distinct(listed?.leafHashes ?? []))) {
    const isLacking = areSets && isPart(leafKeys, all);
    const counts = { received: leafKeys.length, expected: all.length };
    throw new StatePageError(isLacking ? { code: "leavesLacking", ...counts } : { code: "dataItems" });
  }
  return all[all.length - 1];
}

/** Hashes without repetitions, at their first places. */
function distinct(hashes: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(hashes.map((hash) => [hashKey(hash), hash] as const)).values()];
}

function sameList(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  return left.length === right.length && left.every((hash, index) => equalBytes(hash, right[index]!));
}

/** Quirk 61 §16.3: whether a page has none but its leaves, and not all of them. */
function isPart(some: readonly Uint8Array[], all: readonly Uint8Array[]): boolean {
  const keys = new Set(all.map(hashKey));
  return some.length < all.length && some.every((hash) => keys.has(hashKey(hash)));
}

/** @param left without repetitions, as `right` */
function sameSet(left: readonly Uint8Array[], right: readonly Uint8Array[]): boolean {
  const keys = new Set(right.map(hashKey));
  return left.length === right.length && left.every((hash) => keys.has(hashKey(hash)));
}
