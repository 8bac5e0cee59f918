import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { compareBytes, equalBytes, fromHex, toHex } from "@vedette/crypto";
import { decodeStoreItems, encodeStoreItems, type StoreItem, type StoreItems } from "@vedette/protocol";
import { lengthPrefixed, recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { f1r3nodeSpace } from "../form/f1r3nodeSpace.js";
import { diffStates } from "../history/diffStates.js";
import { HistoryError } from "../history/HistoryError.js";
import { importStateDiff } from "../history/importStateDiff.js";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { emptyRoot } from "../history/updateTree.js";
import { LeafError } from "../leaf/LeafError.js";
import { exportItems, pageSize } from "./exportItems.js";
import { findMissing } from "./findMissing.js";
import { importItems } from "./importItems.js";

const chains = recordedDirectory("chains-r");

/** Pages of an export of f1r3node, and the root of what it exported. */
function exported(chain: string, which: "genesis" | "lfb") {
  const read = (name: string): Uint8Array => readFileSync(join(chains, chain, name));
  const lines = new TextDecoder().decode(read("blocks.jsonl")).trim().split("\n");
  const blocks = lines.map((line) => JSON.parse(line) as { readonly hash: string; readonly postState: string });
  const last = JSON.parse(new TextDecoder().decode(read("dag.json"))).lastFinalizedBlock as string;
  const { postState } = which === "genesis" ? blocks[0]! : blocks.find(({ hash }) => hash === last)!;
  const bytes = which === "genesis" ? read("state-genesis.bin") : gunzipSync(read("state-lfb.bin.gz"));
  return { root: fromHex(postState), pages: lengthPrefixed(bytes).map((page) => decodeStoreItems(page)) };
}

/** Its items in one order: f1r3node lists them in no order. */
function sorted({ historyItems, dataItems, ...paths }: StoreItems): StoreItems {
  const inOrder = (items: readonly StoreItem[]) => [...items].sort((left, right) => compareBytes(left.key, right.key));
  return { ...paths, historyItems: inOrder(historyItems), dataItems: inOrder(dataItems) };
}

describe.each([
  ["solo-r", "genesis"],
  ["solo-r", "lfb"],
  ["trio-r", "genesis"],
  ["trio-r", "lfb"],
] as const)(`the state that %s exported (%s)`, (chain, which) => {
  const { root, pages } = chains === undefined ? { root: emptyRoot, pages: [] } : exported(chain, which);

  test("is checked page by page, complete after the last one, and exported again as the same pages", () => {
    const store = memoryStateStore(f1r3nodeSpace);
    pages.forEach((page, index) => {
      const { nextPath, missingLeaf } = importItems(store, { startPath: page.startPath, take: pageSize }, page);
      expect(missingLeaf).toBeUndefined();
      if (nextPath !== undefined) expect(pages[index + 1]!.startPath.slice(0, 6)).toEqual(nextPath);
    });
    expect(pages[0]!.startPath.map(({ hash }) => toHex(hash))).toEqual([toHex(root)]);
    expect(findMissing(store, root).nodes).toEqual([]);
    for (const page of pages) {
      const again = exportItems(store, page.startPath, { skip: 0, take: pageSize })!;
      expect(equalBytes(encodeStoreItems(sorted(again)), encodeStoreItems(sorted(page)))).toBe(true);
    }
  });

  test("is taken as a whole, but not with a leaf as another one than it is", () => {
    const [theirs, ours] = [memoryStateStore(f1r3nodeSpace), memoryStateStore(f1r3nodeSpace)];
    for (const { historyItems, dataItems } of pages) theirs.putItems(historyItems, dataItems);
    const { nodes, leaves } = diffStates(theirs, root, emptyRoot);
    const given = { root, base: emptyRoot, nodes: nodes.map(({ node }) => node.bytes) };
    const values = leaves.map((hash) => theirs.leafBytes(hash)!);
    const [first, ...others] = values as [Uint8Array, ...Uint8Array[]];
    const renamed = Uint8Array.of((first[0]! + 1) % 3, ...first.subarray(1));
    expect(() => importStateDiff(ours, { ...given, leaves: [renamed, ...others] })).toThrow(LeafError);
    expect(() => importStateDiff(ours, { ...given, leaves: others })).toThrow(HistoryError);
    importStateDiff(ours, { ...given, leaves: values });
    expect(findMissing(ours, root).nodes).toEqual([]);
  });
});

test(`a page is not the one that was asked for`, () => {
  const page = exported("trio-r", "genesis").pages[0]!;
  const [leaf, ...leaves] = page.dataItems as [StoreItem, ...StoreItem[]];
  const [node, ...nodes] = page.historyItems as [StoreItem, ...StoreItem[]];
  const take = Math.max(pageSize, page.historyItems.length);
  const surplus = { key: new Uint8Array(32).fill(7), value: leaf.value };
  const emptyNode = { key: emptyRoot, value: new Uint8Array(0) };
  const renamed = { key: leaf.key, value: Uint8Array.of((leaf.value[0]! + 1) % 3, ...leaf.value.subarray(1)) };
  const wrong: readonly (readonly [string, Partial<StoreItems>])[] = [
    ["leavesLacking", { dataItems: leaves }],
    ["leavesLacking", { dataItems: [] }],
    ["dataItems", { dataItems: [...page.dataItems, surplus] }],
    ["dataItems", { dataItems: [...leaves, surplus] }],
    ["leafKind", { dataItems: [renamed, ...leaves] }],
    ["leafHash", { dataItems: [{ key: leaf.key, value: leaf.value.subarray(1) }, ...leaves] }],
    ["historyItems", { historyItems: [...page.historyItems, emptyNode] }],
    ["tooManyItems", { historyItems: Array.from({ length: take + 1 }, () => node) }],
    ["nodeNotReceived", { historyItems: nodes }],
    ["nodeHash", { historyItems: [{ ...node, value: leaf.value }, ...nodes] }],
  ];
  for (const [code, changed] of wrong) {
    const store = memoryStateStore(f1r3nodeSpace);
    const importing = () => importItems(store, { startPath: page.startPath, take }, { ...page, ...changed });
    expect(importing, code).toThrow(expect.objectContaining({ failure: expect.objectContaining({ code }) }));
    expect(store.hasLeaf(leaf.key)).toBe(false);
  }
  // An item that comes twice counts once.
  const store = memoryStateStore(f1r3nodeSpace);
  const twice = { ...page, dataItems: [...page.dataItems, leaf] };
  importItems(store, { startPath: page.startPath, take }, twice);
  expect(store.hasLeaf(leaf.key)).toBe(true);
});

test(`a leaf that came as another one than it is counts as missing`, () => {
  const { root, pages } = exported("trio-r", "genesis");
  const store = memoryStateStore(f1r3nodeSpace);
  for (const { historyItems, dataItems } of pages) store.putItems(historyItems, dataItems);
  const { key, value } = pages[0]!.dataItems[0]!;
  for (const kind of [(value[0]! + 1) % 3, 3]) {
    store.putItems([], [{ key, value: Uint8Array.of(kind, ...value.subarray(1)) }]);
    expect(findMissing(store, root).nodes.length).toBe(1);
  }
  store.putItems([], [{ key, value }]);
  expect(findMissing(store, root).nodes).toEqual([]);
});
