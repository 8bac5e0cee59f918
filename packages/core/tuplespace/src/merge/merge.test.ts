import { blake2b256, SplittableRandom, toHex } from "@vedette/crypto";
import {
  BindPattern,
  channelHash,
  ListParWithRandom,
  nil,
  type Par,
  ParContinuation,
  ParWithRandom,
} from "@vedette/terms";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryStateStore } from "../history/memoryStateStore.js";
import { StateView } from "../history/StateView.js";
import { emptyRoot } from "../history/updateTree.js";
import { PlaySpace } from "../space/PlaySpace.js";
import { freePattern, int, name, simpleMatch } from "../testing/simpleMatch.js";
import { applyChanges } from "./applyChanges.js";
import { conflict, depends } from "./conflicts.js";
import { type DeployChain, deployChains, isSystemDeployId, relatedClasses, systemDeployId } from "./deployChain.js";
import { emptyIndex, type NumberDifferences } from "./eventIndex.js";
import { decodeMergeable, encodeMergeable, mergeableKey, numberInState } from "./numberChannels.js";
import { rejectionOptions, resolveConflicts } from "./resolveConflicts.js";
import { emptyStateChange } from "./stateChange.js";

const variable = new BindPattern([freePattern], undefined, 1);
const noNumbers: NumberDifferences = new Map();

function conflictsOf(table: Readonly<Record<number, readonly number[]>>): Map<number, Set<number>> {
  return new Map(Object.entries(table).map(([key, values]) => [Number(key), new Set(values)]));
}

describe("the ways to reject branches (facts of 30 §A.9)", () => {
  test.each([
    [{ 1: [2, 3, 4], 2: [1], 3: [1, 2], 4: [1] }, ["1,2", "2,3,4"]],
    [{ 1: [2, 3, 4], 2: [1, 3, 4], 3: [1, 2, 4], 4: [1, 2, 3] }, ["1,2,3", "1,2,4", "1,3,4", "2,3,4"]],
    [{ 1: [2, 3, 4], 2: [1], 3: [1, 4], 4: [1, 3] }, ["1,3", "1,4", "2,3,4"]],
    [{ 1: [], 2: [3], 3: [2, 4], 4: [3] }, ["2,4", "3"]],
    [{ 1: [], 2: [] }, []],
  ])("%j", (table, expected) => {
    const options = rejectionOptions(conflictsOf(table)).map((option) => [...option].sort().join());
    expect(options.sort()).toEqual(expected);
  });

  test("always leave no two that conflict", () => {
    const anyTable = fc.array(fc.tuple(fc.nat({ max: 7 }), fc.nat({ max: 7 })), { maxLength: 14 });
    fc.assert(
      fc.property(anyTable, (pairs) => {
        const conflicts = new Map<number, Set<number>>();
        for (let branch = 0; branch < 8; branch += 1) conflicts.set(branch, new Set());
        for (const [one, other] of pairs.filter(([left, right]) => left !== right)) {
          conflicts.get(one)!.add(other);
          conflicts.get(other)!.add(one);
        }
        for (const option of rejectionOptions(conflicts)) {
          for (const [branch, opponents] of conflicts) {
            if (option.has(branch)) continue;
            expect([...opponents].every((opponent) => option.has(opponent))).toBe(true);
          }
        }
      }),
    );
  });
});

/** A chain that changes numbers only. */
function numberChain(seed: number, cost: bigint, numbers: Readonly<Record<string, bigint>>): DeployChain {
  return {
    deploys: [{ id: blake2b256(Uint8Array.of(seed)), cost }],
    index: { ...emptyIndex, numberChannels: new Map(Object.entries(numbers)) },
    change: emptyStateChange,
    postState: Uint8Array.of(seed),
  };
}

describe("number channels", () => {
  test("are kept from falling below zero: branches in order, each that does not fit is rejected", () => {
    const chains = [
      numberChain(1, 10n, { a: -60n }),
      numberChain(2, 10n, { a: -50n }),
      numberChain(3, 10n, { a: -40n }),
    ];
    const { merged, rejectedIds } = resolveConflicts(chains, () => 100n);
    expect(merged.map(({ postState }) => postState[0])).toEqual([1, 3]);
    expect(rejectedIds.map(toHex)).toEqual([toHex(blake2b256(Uint8Array.of(2)))]);
  });

  test("are kept from growing beyond 64 bits", () => {
    const chains = [numberChain(1, 1n, { a: 1n }), numberChain(2, 1n, { a: 1n })];
    expect(resolveConflicts(chains, () => (1n << 63n) - 2n).merged).toHaveLength(1);
  });

  test("count once for deploys that two blocks have with the same cost", () => {
    const twice = [
      numberChain(1, 10n, { a: -60n }),
      { ...numberChain(1, 10n, { a: -60n }), postState: Uint8Array.of(2) },
    ];
    const { merged, repeated, rejectedIds } = resolveConflicts(twice.toReversed(), () => 200n);
    expect([merged, repeated, rejectedIds]).toEqual([[twice[0]], [twice[1]], []]);
    const costlier = numberChain(1, 11n, { a: -60n });
    const cheaper = resolveConflicts([twice[0]!, costlier], () => 200n);
    expect([cheaper.merged, cheaper.rejected]).toEqual([[costlier], [twice[0]]]);
  });

  test("are stored per deploy", () => {
    const channel = toHex(blake2b256(Uint8Array.of(5)));
    const deploys = [new Map([[channel, -5n]]), new Map()];
    const bytes = encodeMergeable(deploys);
    expect(toHex(bytes)).toBe(`00020001${channel}fffffffffffffffb0000`);
    expect(decodeMergeable(bytes)).toEqual(deploys);
    expect(() => decodeMergeable(bytes.subarray(0, 20))).toThrow("it is cut off");
    expect(toHex(mergeableKey(Uint8Array.of(1, 2), Uint8Array.of(3), 258))).toBe("00020102" + "000103" + "00000102");
  });
});

test("ids of system deploys are distinguished from those of users", () => {
  const blockHash = blake2b256(Uint8Array.of(1));
  expect(isSystemDeployId(systemDeployId(blockHash, "closeBlock"))).toBe(true);
  expect(isSystemDeployId(blockHash)).toBe(false);
  expect(isSystemDeployId(new Uint8Array(33))).toBe(false);
});

test("classes of a relation are closed", () => {
  const classes = relatedClasses([1, 2, 3, 4, 5, 6], (left, right) => Math.abs(left - right) === 2);
  expect(classes).toEqual([
    [1, 3, 5],
    [2, 4, 6],
  ]);
});

/** The steps of one deploy. */
type Step = { readonly send: Par; readonly value: number } | { readonly receive: readonly Par[] };

const base = memoryStateStore();

/** Plays each list of steps as one deploy of a block that begins at a root. */
function playBlock(root: Uint8Array, deploys: readonly (readonly Step[])[], seed: string) {
  const space = new PlaySpace(base, simpleMatch, root);
  const logs = deploys.map((steps, deploy) => {
    for (const [index, step] of steps.entries()) {
      const random = SplittableRandom.fromSeed(new TextEncoder().encode(`${seed}/${deploy}/${index}`)).toBytes();
      if ("send" in step) space.produce(step.send, new ListParWithRandom([int(step.value)], random), false);
      else {
        const continuation = new ParContinuation(new ParWithRandom(nil, random));
        const patterns = step.receive.map(() => variable);
        space.consume(step.receive, patterns, continuation, false, []);
      }
    }
    return space.softCheckpoint().log;
  });
  return { logs, root: space.checkpoint().root };
}

function chainsOf(
  root: Uint8Array,
  deploys: readonly (readonly Step[])[],
  seed: string,
  numbers: NumberDifferences = noNumbers,
) {
  const { logs, root: post } = playBlock(root, deploys, seed);
  const merging = logs.map((log, index) => ({
    id: blake2b256(new TextEncoder().encode(`${seed}/${index}`)),
    cost: BigInt(index + 1),
    log,
    numberChannels: numbers,
  }));
  return { chains: deployChains(merging, new StateView(base, root), new StateView(base, post)), post };
}

const [x, y, z, number] = [name(1), name(2), name(3), name(4)] as [Par, Par, Par, Par];
const start = playBlock(emptyRoot, [[{ send: x, value: 1 }, { receive: [y] }, { send: z, value: 9 }]], "start").root;

describe("two blocks on one state", () => {
  test("merge to what one after the other gives, when they touch different channels", () => {
    const left: Step[] = [{ receive: [x] }, { send: name(7), value: 1 }];
    const right: Step[] = [{ send: y, value: 5 }, { receive: [name(8), name(9)] }];
    const one = chainsOf(start, [left], "left");
    const other = chainsOf(start, [right], "right");
    expect(conflict(one.chains[0]!.index, other.chains[0]!.index)).toBe(false);
    const { merged, rejected } = resolveConflicts([...one.chains, ...other.chains], () => 0n);
    expect(rejected).toEqual([]);
    const sequential = playBlock(one.post, [right], "right").root;
    expect(toHex(applyChanges(base, start, merged))).toBe(toHex(sequential));
  });

  test("conflict when both take one datum, and the cheaper one goes", () => {
    const one = chainsOf(start, [[{ send: name(7), value: 1 }], [{ receive: [x] }]], "left");
    const other = chainsOf(start, [[{ receive: [x] }]], "right");
    expect(one.chains).toHaveLength(2);
    const { merged, rejected } = resolveConflicts([...one.chains, ...other.chains], () => 0n);
    expect(rejected.map(({ deploys }) => deploys[0]!.cost)).toEqual([1n]);
    const sequential = playBlock(start, [[{ send: name(7), value: 1 }], [{ receive: [x] }]], "left").root;
    expect(toHex(applyChanges(base, start, merged))).toBe(toHex(sequential));
  });

  test("conflict when a datum of one could meet a continuation of the other, or touches a join of the base", () => {
    const sender = chainsOf(start, [[{ send: name(7), value: 1 }]], "left").chains[0]!;
    const receiver = chainsOf(start, [[{ receive: [name(7)] }]], "right").chains[0]!;
    expect(conflict(sender.index, receiver.index)).toBe(true);
    expect(conflict(receiver.index, sender.index)).toBe(true);
    const joined = playBlock(start, [[{ receive: [name(7), name(8)] }]], "joins").root;
    const touching = chainsOf(joined, [[{ send: name(7), value: 1 }]], "left").chains[0]!;
    expect(conflict(touching.index, emptyIndex)).toBe(true);
  });

  test("of which a deploy used what another made form one chain", () => {
    const { chains } = chainsOf(
      start,
      [[{ send: name(7), value: 1 }], [{ send: name(6), value: 1 }], [{ receive: [name(7)] }]],
      "left",
    );
    expect(chains.map(({ deploys }) => deploys.map(({ cost }) => cost))).toEqual([[1n, 3n], [2n]]);
    expect(depends(chains[0]!.index, chains[1]!.index)).toBe(false);
  });

  test("add up what they do to a number channel", () => {
    const hash = toHex(channelHash(number));
    const funded = playBlock(start, [[{ send: number, value: 100 }]], "fund").root;
    const change = (value: number): Step[] => [{ receive: [number] }, { send: number, value }];
    const one = chainsOf(funded, [change(130)], "left", new Map([[hash, 30n]]));
    const other = chainsOf(funded, [change(80)], "right", new Map([[hash, -20n]]));
    const baseNumber = (channel: string) => numberInState(new StateView(base, funded), channel);
    const { merged } = resolveConflicts([...one.chains, ...other.chains], baseNumber);
    expect(merged).toHaveLength(2);
    const root = applyChanges(base, funded, merged);
    const view = new StateView(base, root);
    expect(numberInState(view, hash)).toBe(110n);
    const [datum] = view.data(channelHash(number));
    const states = ["left", "right"].map((seed) =>
      SplittableRandom.fromSeed(new TextEncoder().encode(`${seed}/0/1`)).toBytes(),
    );
    const signed = states.sort((left, right) =>
      Buffer.compare(
        left.map((byte) => byte ^ 0x80),
        right.map((byte) => byte ^ 0x80),
      ),
    );
    const expected = SplittableRandom.merge(signed.map((state) => SplittableRandom.fromBytes(state)));
    expect(toHex(datum!.a.randomState)).toBe(toHex(expected.toBytes()));
  });
});
