import { equalBytes, toHex } from "@vedette/crypto";
import type { StoreItem, StoreItems } from "@vedette/protocol";
import { BindPattern, ListParWithRandom, nil, type Par, ParContinuation, ParWithRandom } from "@vedette/terms";
import { expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import type { StateStore } from "../history/StateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { PlaySpace } from "../space/PlaySpace.js";
import { freePattern, int, name, simpleMatch } from "../testing/simpleMatch.js";
import { exportItems, pageSize } from "./exportItems.js";
import { findMissing } from "./findMissing.js";
import { importItems } from "./importItems.js";
import { decodePath, element } from "./path.js";
import { traverse } from "./traverse.js";

const variable = new BindPattern([freePattern], undefined, 1);
const random = new Uint8Array(32);

/** A state in which receives wait on several channels at once: the channels of one have the same leaf of joins. */
function stateWithJoins(...joins: readonly (readonly Par[])[]): {
  readonly source: StateStore;
  readonly root: Uint8Array;
} {
  const source = memoryStateStore();
  const space = new PlaySpace(source, simpleMatch, emptyRoot);
  for (let number = 0; number < 40; number++)
    space.produce(name(1, number), new ListParWithRandom([int(number)], random), false);
  for (const channels of joins) {
    const continuation = new ParContinuation(new ParWithRandom(nil, random));
    space.consume(
      channels,
      channels.map(() => variable),
      continuation,
      false,
      [],
    );
  }
  return { source, root: space.checkpoint().root };
}

const keysOf = (items: readonly StoreItem[]) => items.map(({ key }) => toHex(key));
const once = (page: StoreItems): StoreItems => ({
  ...page,
  dataItems: page.dataItems.filter(
    ({ key }, index) => page.dataItems.findIndex((other) => equalBytes(other.key, key)) === index,
  ),
});

/** Returns all pages of a state, as a requester requests them. */
function pagesOf(source: StateStore, root: Uint8Array, take: number): StoreItems[] {
  const pages: StoreItems[] = [];
  let path: StoreItems["startPath"] = [element(root)];
  for (;;) {
    const page = exportItems(source, path, { skip: 0, take });
    if (page === undefined) return pages;
    pages.push(page);
    if (page.lastPath.length === 1) return pages;
    path = page.lastPath;
  }
}

const [a, b, c] = [name(7), name(8), name(9)];

test("the leaves of a page are those that rnode's traversal meets, as often as it meets them", () => {
  const { source, root } = stateWithJoins([a, b], [c, name(10), name(11)]);
  const state = { sent: 0, different: new Set<string>() };
  for (const page of pagesOf(source, root, pageSize)) {
    // rnode's requester compares both lists of keys, in order, with those of its own traversal.
    const met = traverse((hash) => source.findNode(hash), decodePath(page.startPath), 0, pageSize);
    expect(keysOf(page.historyItems)).toEqual(met.nodeHashes.map(toHex));
    expect(keysOf(page.dataItems)).toEqual(met.leafHashes.map(toHex));
    if (page.startPath[0] !== undefined && equalBytes(page.startPath[0].hash, root)) {
      state.sent += page.dataItems.length;
      for (const key of keysOf(page.dataItems)) state.different.add(key);
    }
  }
  // The leaf of two joined channels once more, and that of three joined ones twice more.
  expect(state.sent - state.different.size).toBe(3);
});

test("a page is taken in either form: with its repetitions, or each leaf once as rnode sends it", () => {
  const { source, root } = stateWithJoins([a, b], [c, name(10), name(11)]);
  for (const take of [pageSize, 5]) {
    for (const form of [(page: StoreItems) => page, once]) {
      const target = memoryStateStore();
      let path: StoreItems["startPath"] | undefined = [element(root)];
      while (path !== undefined) {
        const page: StoreItems = form(exportItems(source, path, { skip: 0, take })!);
        path = importItems(target, { startPath: path, take }, page).nextPath;
      }
      expect(findMissing(target, root).nodes).toEqual([]);
    }
  }
});

test("repetitions that would be too much are left out of the whole page", () => {
  // Each of these channels has the leaf that names all of them.
  const many = Array.from({ length: 60 }, (_, number) => name(20, number));
  const { source, root } = stateWithJoins(many);
  const path = [element(root)];
  const range = { skip: 0, take: pageSize };
  const full = exportItems(source, path, range)!;
  const leaf = full.dataItems.find(({ key }, index) => keysOf(full.dataItems).indexOf(toHex(key)) < index);
  const repeated = (page: StoreItems) => page.dataItems.filter(({ key }) => equalBytes(key, leaf!.key)).length;
  expect(repeated(full)).toBe(60);
  const maxRepeatedBytes = 59 * (leaf!.value.length + 32);
  expect(exportItems(source, path, range, { maxRepeatedBytes })).toEqual(full);
  const short = exportItems(source, path, range, { maxRepeatedBytes: maxRepeatedBytes - 1 })!;
  expect(short).toEqual(once(full));
  expect(importItems(memoryStateStore(), { startPath: path, take: pageSize }, short).nextPath).toBeUndefined();
});
