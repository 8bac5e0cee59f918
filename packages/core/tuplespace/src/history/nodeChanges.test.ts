import { blake2b256, toHex } from "@vedette/crypto";
import { MemoryStore, tablesOf } from "@vedette/store";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { applyChanges, changesBetween, decodeChanges, encodeChanges } from "./nodeChanges.js";
import { RadixItem, RadixNode } from "./RadixNode.js";
import { StateStore } from "./StateStore.js";
import { emptyRoot, type HistoryAction, updateTree } from "./updateTree.js";

const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
const items = fc.uniqueArray(
  fc.record({
    index: fc.nat(255),
    prefix: fc.uint8Array({ maxLength: 6 }),
    target: hash,
    isPointer: fc.boolean(),
  }),
  { selector: ({ index }) => index, maxLength: 20 },
);

function nodeOf(
  list: readonly { index: number; prefix: Uint8Array; target: Uint8Array; isPointer: boolean }[],
): RadixNode {
  const made = list.map(({ index, prefix, target, isPointer }) => new RadixItem(index, prefix, target, isPointer));
  const bytes = new Uint8Array(made.reduce((sum, item) => sum + item.encodedLength, 0));
  let offset = 0;
  for (const item of made) offset = item.write(bytes, offset);
  return new RadixNode(bytes);
}

const inOrder = items.map((list) => list.toSorted((one, other) => one.index - other.index));

describe("a node as changes of another", () => {
  test("is the node again, byte for byte", () => {
    fc.assert(
      fc.property(inOrder, inOrder, hash, (before, now, wholeHash) => {
        const [whole, node] = [nodeOf(before), nodeOf(now)];
        const changes = changesBetween({ hash: wholeHash, node: whole }, node, 10_000)!;
        const read = decodeChanges(encodeChanges(changes));
        expect(toHex(read.whole)).toBe(toHex(wholeHash));
        expect(toHex(applyChanges(whole, read).bytes)).toBe(toHex(node.bytes));
      }),
    );
  });

  test("is none where its items are not in order, or where most of it is new", () => {
    const item = (index: number) => ({
      index,
      prefix: new Uint8Array(0),
      target: blake2b256(Uint8Array.of(index)),
      isPointer: true,
    });
    const whole = { hash: new Uint8Array(32), node: nodeOf([item(1), item(2)]) };
    expect(changesBetween(whole, nodeOf([item(2), item(1)]), 10_000)).toBeUndefined();
    expect(changesBetween(whole, nodeOf([item(3), item(4)]), 60)).toBeUndefined();
    expect(changesBetween(whole, nodeOf([item(1), item(4)]), 60)).toBeDefined();
  });

  test("that is cut off is reported as such", () => {
    expect(() => decodeChanges(new Uint8Array(33).fill(9))).toThrow("cut off");
    expect(() => applyChanges(nodeOf([]), { items: new Uint8Array(10), gone: new Uint8Array(0) })).toThrow("cut off");
  });
});

function actionsOf(number: number, count: number): HistoryAction[] {
  return Array.from({ length: count }, (_, index) => {
    const of = (text: string) => blake2b256(new TextEncoder().encode(text));
    const isGone = number % 5 === 4 && index % 3 === 0;
    return { key: of(`key ${(number * 7 + index * 13) % 500}`), value: isGone ? undefined : of(`${number} ${index}`) };
  }).filter(({ key }, at, all) => all.findIndex((other) => toHex(other.key) === toHex(key)) === at);
}

test("states that are stored as changes equal those that are stored whole, also after the store is opened again", () => {
  const store = new MemoryStore(tablesOf("state"));
  const states = new StateStore(store);
  const wholes = new Map<string, Uint8Array>();
  const roots: Uint8Array[] = [];
  let root = emptyRoot;
  for (let number = 0; number < 300; number += 1) {
    const made = updateTree(states, root, actionsOf(number, number === 0 ? 400 : 6));
    states.commit({ root: made.root, newNodes: made.newNodes, newLeaves: [] });
    for (const { hash: key, node } of made.newNodes) wholes.set(toHex(key), node.bytes);
    root = made.root;
    roots.push(root);
  }
  const [whole, changed] = [store.table("history"), store.table("changedHistory")];
  expect(whole.count() + changed.count()).toBe(wholes.size);
  expect(changed.count()).toBeGreaterThan(250);
  const later = new StateStore(store, { nodeCacheBytes: 50_000 });
  for (const [key, bytes] of wholes) {
    const read = later.nodeBytes(Buffer.from(key, "hex"))!;
    expect(toHex(read)).toBe(toHex(bytes));
    expect(toHex(blake2b256(read))).toBe(key);
  }
  for (const one of roots) expect(later.rootNode(one).count).toBeGreaterThan(0);
  const writtenBytes = [...whole.range(), ...changed.range()].reduce(
    (sum, [key, value]) => sum + key.length + value.length,
    0,
  );
  const wholeBytes = [...wholes.values()].reduce((sum, bytes) => sum + 32 + bytes.length, 0);
  expect(writtenBytes).toBeLessThan(wholeBytes * 0.35);
});
