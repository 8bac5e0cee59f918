import { blake2b256, F1r3nodeRandom, toHex } from "@vedette/crypto";
import { ProduceEvent } from "@vedette/protocol";
import { f1r3nodeTerms, GInt, GString, ListParWithRandom, Par } from "@vedette/terms";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bincodeProduceHash } from "../../bincode/bincodeHash.js";
import { encodeBincodeDatum, encodeBincodeLeaf } from "../../bincode/bincodeLeaf.js";
import { memoryStateStore } from "../../history/memoryStateStore.js";
import { emptyRoot, updateTree } from "../../history/updateTree.js";
import { dataKey } from "../../leaf/historyKey.js";
import { buildTree } from "../../testing/buildTree.js";
import { type EventSets, noEventSets } from "../eventIndex.js";
import { eventSet } from "../eventSet.js";
import { emptyStateChange, type StateChange } from "../stateChange.js";
import { applyItems } from "./applyItems.js";
import { StoredItems } from "./ItemState.js";
import { combineItemChanges } from "./itemChange.js";
import { type LossesOf, lossesBy, noLosses } from "./losses.js";
import { compareBranches, compareChains, type MergeChain } from "./MergeChain.js";
import {
  changedNumber,
  combineNumbers,
  decodeNumberEntry,
  encodeNumberEntry,
  type NumberChange,
  type NumberChanges,
  numberChange,
} from "./numberChanges.js";
import { numberIn, numberOfItem } from "./numberItem.js";
import { resolveChains } from "./resolveChains.js";

const channel = (name: string): Uint8Array =>
  blake2b256(f1r3nodeTerms.storedPar(Par.of({ exprs: [new GString(name)] })));

function datum(name: string, value: bigint | string, seed = 0): Uint8Array {
  const expr = typeof value === "string" ? new GString(value) : new GInt(value);
  const randomState = F1r3nodeRandom.fromSeed(Uint8Array.of(seed)).toBytes();
  const content = f1r3nodeTerms.storedListParWithRandom(
    new ListParWithRandom([Par.of({ exprs: [expr] })], randomState),
  );
  const hash = channel(name);
  const source = new ProduceEvent(hash, bincodeProduceHash(hash, content, false), false);
  return encodeBincodeDatum({ content, persist: false, source });
}

function produceOn(name: string, id: number, isPersistent = false): ProduceEvent {
  return new ProduceEvent(channel(name), blake2b256(Uint8Array.of(id)), isPersistent);
}

/** A state that holds these data. */
function stateOf(cells: Readonly<Record<string, readonly Uint8Array[]>>) {
  const store = memoryStateStore();
  const leaves = Object.entries(cells).map(([name, items]) => ({ name, leaf: encodeBincodeLeaf("data", items) }));
  const actions = leaves.map(({ name, leaf }) => ({ key: dataKey(channel(name)), value: leaf.hash }));
  const { root, newNodes } = updateTree(store, emptyRoot, actions);
  const nodes = newNodes.map(({ hash, node }) => ({ key: hash, value: node.bytes }));
  store.putItems(
    nodes,
    leaves.map(({ leaf }) => ({ key: leaf.hash, value: leaf.value })),
  );
  store.recordRoot(root);
  return { store, root, state: new StoredItems(store, root) };
}

function rootOf(cells: Readonly<Record<string, readonly Uint8Array[]>>): string {
  const entries = Object.entries(cells).map(
    ([name, items]) => [dataKey(channel(name)), encodeBincodeLeaf("data", items).hash] as const,
  );
  return toHex(buildTree(entries).root);
}

type Cells = Readonly<
  Record<string, { readonly removed?: readonly Uint8Array[]; readonly added?: readonly Uint8Array[] }>
>;

function changeOf(cells: Cells): StateChange {
  const data = Object.entries(cells).map(([name, { removed = [], added = [] }]) => {
    const hash = channel(name);
    return [toHex(hash), { hash, removed, added }] as const;
  });
  return { ...emptyStateChange, data: new Map(data) };
}

interface ChainFacts {
  readonly cost?: bigint;
  readonly cells?: Cells;
  readonly numbers?: Readonly<Record<string, NumberChange>>;
}

function chain(id: number, { cost = 1n, cells = {}, numbers = {} }: ChainFacts): MergeChain {
  const named = Object.entries(numbers).map(([name, change]) => [toHex(channel(name)), change] as const);
  return {
    deploys: [{ id: Uint8Array.of(id), cost }],
    events: noEventSets,
    numbers: new Map(named),
    change: changeOf(cells),
    source: { hash: blake2b256(Uint8Array.of(id)), number: 1n, postState: Uint8Array.of(id) },
  };
}

const ids = (chains: readonly MergeChain[]): number[] => chains.map(({ deploys }) => deploys[0]!.id[0]!);

describe("number channels", () => {
  const anyKind = fc.constantFrom("add" as const, "or" as const);
  const anyValue = fc.bigInt({ min: 0n, max: (1n << 62n) - 1n });

  test("a change leads from the one value to the other, or sets what bits are new", () => {
    fc.assert(
      fc.property(anyKind, anyValue, anyValue, (kind, before, after) => {
        const expected = kind === "add" ? after : before | after;
        expect(changedNumber(before, numberChange(kind, before, after))).toBe(expected);
      }),
    );
  });

  test("sums are refused that are negative or have more than 63 bits; bits never", () => {
    expect(changedNumber(5n, { kind: "add", difference: -6n })).toBeUndefined();
    expect(changedNumber((1n << 63n) - 1n, { kind: "add", difference: 1n })).toBeUndefined();
    expect(changedNumber(5n, { kind: "or", difference: -8n })).toBe(-3n);
  });

  test("changes of two kinds on one channel, and sums of more than 64 bits, are errors", () => {
    const one = (kind: NumberChange["kind"], difference: bigint): NumberChanges =>
      new Map([["aa", { kind, difference }]]);
    expect(() => combineNumbers(one("add", 1n), one("or", 1n))).toThrow("bits set");
    expect(() => combineNumbers(one("add", 1n << 62n), one("add", 1n << 62n))).toThrow("too large");
    expect(combineNumbers(one("or", 5n), one("or", 6n)).get("aa")).toEqual({ kind: "or", difference: 7n });
  });

  test("the entry of a block reads as it was written, in one form, and nothing else reads", () => {
    const anyChannel = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
    const anyDifference = fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n });
    const anyChange = fc.record({ kind: anyKind, difference: anyDifference });
    const anyEntry = fc.array(fc.array(fc.tuple(anyChannel, anyChange), { maxLength: 3 }), { maxLength: 3 });
    fc.assert(
      fc.property(anyEntry, fc.nat(), (entry, cut) => {
        const deploys = entry.map((changes) => new Map(changes));
        const bytes = encodeNumberEntry(deploys);
        expect(decodeNumberEntry(bytes)).toEqual(deploys);
        expect(encodeNumberEntry(deploys.map((one) => new Map([...one].reverse())))).toEqual(bytes);
        expect(() => decodeNumberEntry(bytes.subarray(0, cut % bytes.length))).toThrow("malformed");
      }),
    );
  });

  test("an entry has 64-bit counts, the channel's length, and the kind behind the difference", () => {
    const entry = encodeNumberEntry([new Map([["ab".repeat(32), { kind: "or", difference: 2n }]])]);
    expect(toHex(entry)).toBe(
      `010000000000000001000000000000002000000000000000${"ab".repeat(32)}020000000000000001000000`,
    );
  });
});

describe("the order of chains", () => {
  test("is by cost, the dearest deploy, the smallest id; branches with fewer chains come first", () => {
    const chains = [chain(1, { cost: 5n }), chain(2, { cost: 9n }), chain(3, { cost: 9n })];
    const [cheap, expensive] = [chains[0]!, chains[1]!];
    const two = { ...cheap, deploys: [...cheap.deploys, { id: Uint8Array.of(0), cost: 4n }] };
    expect(ids([...chains, two].sort(compareChains))).toEqual([2, 3, 1, 1]);
    expect(compareChains(expensive, two)).toBeLessThan(0);
    expect([[expensive, cheap], [cheap]].sort(compareBranches).map(ids)).toEqual([[1], [2, 1]]);
  });
});

describe("changes of two chains together", () => {
  const a = datum("x", "a");
  const b = datum("x", "b");

  test("have each item as often as the one that has more of it, and none that comes and goes", () => {
    const left = changeOf({ x: { removed: [a], added: [b, b] } });
    const right = changeOf({ x: { removed: [a, b], added: [b] } });
    const { data } = combineItemChanges(left, right);
    expect([...data.values()]).toEqual([{ hash: channel("x"), removed: [a], added: [b] }]);
  });

  test("leave a channel as it is where nothing is left of them", () => {
    const { store, root } = stateOf({ x: [a] });
    const chains = [chain(1, { cells: { x: { added: [b] } } }), chain(2, { cells: { x: { removed: [b] } } })];
    expect(toHex(applyItems(store, root, chains))).toBe(toHex(root));
  });
});

describe("a merged state", () => {
  test("has the tree over what is left and what was added", () => {
    const cells = { x: [datum("x", "a"), datum("x", "b")], y: [datum("y", "c")] };
    const { store, root } = stateOf(cells);
    const one = chain(1, { cells: { x: { removed: [datum("x", "a")], added: [datum("x", "d")] } } });
    const other = chain(2, { cells: { y: { removed: [datum("y", "c")] }, z: { added: [datum("z", "e")] } } });
    const merged = applyItems(store, root, [one, other]);
    expect(toHex(merged)).toBe(rootOf({ x: [datum("x", "b"), datum("x", "d")], z: [datum("z", "e")] }));
    expect(store.hasRoot(merged)).toBe(true);
  });

  test("has the sum on a number channel, with the random states of all chains that put something there", () => {
    const { store, root } = stateOf({ n: [datum("n", 100n)] });
    const part = (id: number, difference: bigint): MergeChain =>
      chain(id, {
        cells: { n: { removed: [datum("n", 100n)], added: [datum("n", 100n + difference, id)] } },
        numbers: { n: { kind: "add", difference } },
      });
    const merged = new StoredItems(store, applyItems(store, root, [part(1, 20n), part(2, -50n)]));
    expect(numberIn(merged, channel("n"))).toBe(70n);
    const [item] = merged.data(channel("n"));
    const random = F1r3nodeRandom.merge(
      [1, 2]
        .map((seed) => F1r3nodeRandom.fromSeed(Uint8Array.of(seed)).toBytes())
        .sort(Buffer.compare)
        .map((state) => F1r3nodeRandom.fromBytes(state)),
    );
    expect(toHex(item!)).toContain(toHex(random.toBytes()));
  });

  test("is refused where something removed is not there, or a cell would hold two numbers", () => {
    const { store, root } = stateOf({ n: [datum("n", 1n)] });
    const gone = chain(1, { cells: { n: { removed: [datum("n", 2n)] } } });
    expect(() => applyItems(store, root, [gone])).toThrow("is not in the state");
    const second = chain(2, { cells: { n: { added: [datum("n", 2n)] } } });
    expect(() => applyItems(store, root, [second])).toThrow("would hold 2");
  });
});

describe("resolution", () => {
  const base = stateOf({ n: [datum("n", 100n)], cell: [datum("cell", 1n)], text: [datum("text", "a")] }).state;
  const spends = (id: number, difference: bigint): MergeChain =>
    chain(id, { numbers: { n: { kind: "add", difference } } });
  const resolveBy = (losses: LossesOf, ...chains: MergeChain[]) => {
    const { kept, rejected } = resolveChains(chains, [], { base, losses });
    return { kept: ids(kept.flat()), rejected: ids(rejected).sort() };
  };
  const resolve = (...chains: MergeChain[]) => resolveBy(noLosses, ...chains);

  test("gives up what would spend more than there is, in branch order", () => {
    expect(resolve(spends(1, -60n), spends(2, -50n), spends(3, -30n))).toEqual({ kept: [1, 3], rejected: [2] });
  });

  test("gives up what removes what is not there", () => {
    const good = chain(1, { cells: { text: { removed: [datum("text", "a")] } } });
    const bad = chain(2, { cells: { text: { removed: [datum("text", "b")] } } });
    expect(resolve(good, bad)).toEqual({ kept: [1], rejected: [2] });
  });

  test("gives up a second number in a cell that holds one, but not a second text", () => {
    const second = chain(1, { cells: { cell: { added: [datum("cell", 2n)] } } });
    const text = chain(2, { cells: { text: { added: [datum("text", "b")] } } });
    expect(resolve(second, text)).toEqual({ kept: [2], rejected: [1] });
  });

  test("keeps the first of those that put a number into a cell that is empty", () => {
    const puts = (id: number): MergeChain => chain(id, { cells: { new: { added: [datum("new", BigInt(id))] } } });
    expect(resolve(puts(2), puts(1), puts(3))).toEqual({ kept: [1], rejected: [2, 3] });
  });

  describe("where prior rejections count", () => {
    const puts = (id: number, cost = 1n): MergeChain =>
      chain(id, { cost, cells: { new: { added: [datum("new", BigInt(id))] } } });
    const lost = (counts: Record<number, number>) =>
      lossesBy(new Map(Object.entries(counts).map(([id, count]) => [toHex(Uint8Array.of(Number(id))), count])));

    test("an overfilled cell keeps what lost most, of equals the first", () => {
      expect(resolveBy(lost({ 3: 1 }), puts(2), puts(1), puts(3))).toEqual({ kept: [3], rejected: [1, 2] });
      expect(resolveBy(lost({ 2: 1, 3: 1 }), puts(2), puts(1), puts(3))).toEqual({ kept: [2], rejected: [1, 3] });
      expect(resolveBy(lost({}), puts(2), puts(1), puts(3))).toEqual({ kept: [1], rejected: [2, 3] });
    });

    test("of conflicting branches the one that lost least is given up, whatever it costs", () => {
      const events: EventSets = { ...noEventSets, producesConsumed: eventSet([produceOn("text", 9)]) };
      const takes = (id: number, cost: bigint): MergeChain => ({ ...chain(id, { cost }), events });
      expect(resolveBy(noLosses, takes(1, 9n), takes(2, 1n))).toEqual({ kept: [1], rejected: [2] });
      expect(resolveBy(lost({ 2: 1 }), takes(1, 9n), takes(2, 1n))).toEqual({ kept: [2], rejected: [1] });
      // Two that lost once each do not outweigh one that lost twice.
      const three = [takes(1, 1n), takes(2, 1n), takes(3, 1n)];
      expect(resolveBy(lost({ 1: 1, 2: 1, 3: 2 }), ...three)).toEqual({ kept: [3], rejected: [1, 2] });
    });

    test("what is there goes to the chain of a branch that lost most", () => {
      const cells = { text: { removed: [datum("text", "a")] } };
      // A third one made what both used up for good, so that they are of one branch.
      const made = eventSet([produceOn("x", 1, true)]);
      const source = { ...chain(3, { cost: 9n }), events: { ...noEventSets, producesPersistent: made } };
      const events: EventSets = { ...noEventSets, producesConsumed: made };
      const branch = [source, { ...chain(1, { cells }), events }, { ...chain(2, { cells }), events }];
      expect(resolveBy(noLosses, ...branch)).toEqual({ kept: [3, 1], rejected: [2] });
      expect(resolveBy(lost({ 2: 1 }), ...branch)).toEqual({ kept: [3, 2], rejected: [1] });
    });
  });

  test("gives up what changes a cell that is a number channel for another one", () => {
    const plain = chain(1, { cells: { n: { removed: [datum("n", 100n)], added: [datum("n", 5n)] } } });
    expect(resolve(spends(2, -1n), plain)).toEqual({ kept: [2], rejected: [1] });
  });

  test("late chains are rejected whatever they do", () => {
    const { kept, rejected } = resolveChains([spends(1, 1n)], [spends(2, 1n)], { base, losses: noLosses });
    expect([ids(kept.flat()), ids(rejected)]).toEqual([[1], [2]]);
  });
});

test("only a single integer is a number", () => {
  expect([numberOfItem(datum("x", 5n)), numberOfItem(datum("x", "5"))]).toEqual([5n, undefined]);
});
