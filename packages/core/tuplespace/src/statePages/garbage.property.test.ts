import { blake2b256 } from "@vedette/crypto";
import type { StoreItem, StoreItems } from "@vedette/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { Leaf } from "../leaf/Leaf.js";
import { LeafError } from "../leaf/LeafError.js";
import { buildTree } from "../testing/buildTree.js";
import { checkItems } from "./checkItems.js";
import { exportItems, pageSize } from "./exportItems.js";
import { findMissing } from "./findMissing.js";
import { importItems } from "./importItems.js";
import { decodePath, element, encodePath } from "./path.js";
import { StatePageError } from "./StatePageError.js";

/** A state of many keys; its leaves are no leaves, which copying does not mind. */
function someState(keys: number) {
  const source = memoryStateStore();
  const leaves: StoreItem[] = [];
  const entries: [Uint8Array, Uint8Array][] = [];
  for (let i = 0; i < keys; i += 1) {
    const value = Uint8Array.of(i & 0xff, i >> 8);
    const hash = blake2b256(value);
    leaves.push({ key: hash, value });
    entries.push([Uint8Array.of(i % 3, ...blake2b256(hash)), hash]);
  }
  const { root, newNodes } = buildTree(entries);
  source.putItems(
    newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes })),
    leaves,
  );
  return { source, root };
}

const { source, root } = someState(400);
const startPath = [element(root)];
const honest = exportItems(source, startPath, { skip: 0, take: 40 })!;

/** Runs and demands that only the package's own errors come out. */
function mustThrowTyped(run: () => unknown): void {
  expect(run).toThrow(StatePageError);
}

describe("a page that is not what was asked for", () => {
  const check = (page: StoreItems) => () =>
    checkItems({ startPath, take: 40, ownNode: () => undefined, form: source.form }, page);

  test("is refused with rnode's text", () => {
    const [first, second, ...rest] = honest.historyItems as [StoreItem, StoreItem, ...StoreItem[]];
    const [leaf, ...leaves] = honest.dataItems as [StoreItem, ...StoreItem[]];
    expect(check(honest)().nextPath).toEqual(honest.lastPath.slice(0, 6));
    expect(check({ ...honest, historyItems: [...honest.historyItems, first] })).toThrow(
      "Input size of history items is not valid. Expected chunk size 40, received 41.",
    );
    expect(check({ ...honest, historyItems: [{ ...first, value: second.value }, second, ...rest] })).toThrow(
      "Trie hash does not match decoded trie",
    );
    expect(check({ ...honest, historyItems: [second, first, ...rest] })).toThrow("History items are corrupted.");
    expect(check({ ...honest, historyItems: [second, ...rest] })).toThrow(
      "Trie hash not found in received items or in history store",
    );
    expect(check({ ...honest, dataItems: leaves })).toThrow("Data items are corrupted.");
    expect(check({ ...honest, dataItems: [{ ...leaf, value: first.value }, ...leaves] })).toThrow(
      "Data hash does not match decoded data",
    );
    expect(check({ ...honest, historyItems: [], dataItems: [] })).toThrow(StatePageError);
  });

  test("never comes through, whatever was changed, and leaves nothing behind", () => {
    const mutation = fc.record({
      list: fc.constantFrom("historyItems" as const, "dataItems" as const),
      at: fc.nat(),
      part: fc.constantFrom("key" as const, "value" as const, "drop" as const),
      byte: fc.nat(),
      flip: fc.integer({ min: 1, max: 255 }),
    });
    fc.assert(
      fc.property(mutation, ({ list, at, part, byte, flip }) => {
        const target = memoryStateStore();
        const items = honest[list].slice();
        const index = at % items.length;
        if (part === "drop") items.splice(index, 1);
        else {
          const item = items[index]!;
          const bytes = item[part].slice();
          bytes[byte % bytes.length] = bytes[byte % bytes.length]! ^ flip;
          items[index] = { ...item, [part]: bytes };
        }
        mustThrowTyped(() => importItems(target, { startPath, take: 40 }, { ...honest, [list]: items }));
        expect(findMissing(target, root).nodes).toEqual([root]);
      }),
      { numRuns: 300 },
    );
  });

  test("built of self-consistent garbage ends in a typed error", () => {
    const garbage = fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 5 });
    fc.assert(
      fc.property(garbage, garbage, (nodes, leaves) => {
        const items = (list: readonly Uint8Array[]) => list.map((value) => ({ key: blake2b256(value), value }));
        const page = { startPath: [], lastPath: [], historyItems: items(nodes), dataItems: items(leaves) };
        const first = page.historyItems[0]?.key ?? root;
        try {
          checkItems(
            { startPath: [element(first)], take: pageSize, ownNode: () => undefined, form: source.form },
            page,
          );
        } catch (error) {
          expect(error).toBeInstanceOf(StatePageError);
        }
      }),
    );
  });
});

describe("a request", () => {
  test("with a path that leads nowhere is refused", () => {
    const broken = [startPath.concat(startPath), [], [element(Uint8Array.of(1))]];
    for (const path of broken) mustThrowTyped(() => exportItems(source, path, { skip: 0, take: 1 }));
    mustThrowTyped(() => exportItems(source, encodePath(root, Uint8Array.of(77)), { skip: 0, take: 1 }));
    const longest = encodePath(root, new Uint8Array(127));
    expect(decodePath(longest).prefix).toHaveLength(127);
    const tooLong = longest.map((part, index) => (index === 1 ? element(new Uint8Array(32).fill(200)) : part));
    mustThrowTyped(() => decodePath(tooLong));
  });

  test("for nothing, for less than nothing or for too much is refused", () => {
    for (const [skip, take] of [
      [0, 0],
      [-1, 5],
      [0, -1],
      [0, 100_000],
      [2 ** 31 - 1, 1],
    ] as const) {
      mustThrowTyped(() => exportItems(source, startPath, { skip, take }));
    }
    mustThrowTyped(() => exportItems(source, startPath, { skip: 0, take: 40 }, { maxBytes: 100 }));
  });

  test("for an unknown root is not answered", () => {
    expect(exportItems(source, [element(blake2b256(root))], { skip: 0, take: 1 })).toBeUndefined();
  });

  test("that skips gives the same as the pages before it left out", () => {
    const all = exportItems(source, startPath, { skip: 0, take: 20 })!;
    const skipped = exportItems(source, startPath, { skip: 5, take: 15 })!;
    expect(skipped.historyItems).toEqual(all.historyItems.slice(5));
    expect(skipped.lastPath).toEqual(all.lastPath);
  });
});

test("bytes that are no leaf are refused with a typed error, whichever part is asked for", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.nat({ max: 2 }), (bytes, tag) => {
      bytes[0] = (tag << 6) | ((bytes[0] ?? 0) & 1);
      try {
        const leaf = Leaf.decode(blake2b256(bytes), bytes);
        for (const { a, source: event } of leaf.data) expect([a, event]).toBeDefined();
        for (const { patterns, continuation, peeks } of leaf.continuations) {
          expect([patterns, continuation, peeks]).toBeDefined();
        }
        for (const { channels } of leaf.joins) expect(channels).toBeDefined();
      } catch (error) {
        expect(error).toBeInstanceOf(LeafError);
      }
    }),
  );
});
