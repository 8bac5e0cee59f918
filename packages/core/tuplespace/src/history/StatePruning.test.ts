import { blake2b256, toHex } from "@vedette/crypto";
import { MemoryStore, type Store, tablesOf } from "@vedette/store";
import { runs } from "@vedette/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { mergeableKey } from "../merge/numberChannels.js";
import { recordKey } from "../merge/recordKey.js";
import { findMissing } from "../statePages/findMissing.js";
import { PrunedStates } from "../testing/PrunedStates.js";
import { BloomFilter } from "./BloomFilter.js";
import { StatePruning } from "./StatePruning.js";
import { StateStore } from "./StateStore.js";

const stateStore = () => new MemoryStore(tablesOf("state"));
const sizes = (store: Store) =>
  (["history", "changedHistory", "cold", "roots"] as const).map((name) => store.table(name).count());

function finish(pruning: StatePruning): number {
  for (;;) {
    const { phase, removed } = pruning.step(true, 1_000);
    if (phase === "done") return removed;
    if (phase === "idle") throw new TypeError("no round begins");
  }
}

test("what is found in a filter was added, or one of few", () => {
  const filter = new BloomFilter(2_000);
  const of = (number: number) => blake2b256(Uint8Array.of(number, number >> 8, number >> 16));
  for (let number = 0; number < 2_000; number += 1) filter.add(of(number));
  let missed = 0;
  for (let number = 0; number < 2_000; number += 1) if (!filter.mayHave(of(number))) missed += 1;
  expect(missed).toBe(0);
  let found = 0;
  for (let number = 2_000; number < 12_000; number += 1) if (filter.mayHave(of(number))) found += 1;
  expect(found).toBeLessThan(100);
});

test("forgotten states are gone, those that are kept are whole, and the store does not grow with their number", () => {
  const store = stateStore();
  const states = new PrunedStates(store, 40);
  const counts: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    for (let made = 0; made < 50; made += 1) states.commit();
    states.forgetOld();
    expect(finish(states.pruning)).toBeGreaterThan(0);
    states.check();
    counts.push(sizes(store).reduce((sum, count) => sum + count, 0));
  }
  expect(Math.max(...counts.slice(4))).toBeLessThan(Math.max(...counts.slice(0, 4)) * 1.1);
  expect(sizes(store)[3]).toBe(40 + 1);
  expect(states.pruning.forgottenBelow).toBe(8n * 50n - 40n);
  expect(states.forgotten.every((root) => !states.states.hasRoot(root))).toBe(true);
});

test("whatever is committed, forgotten and thrown away in turns, every recorded state is whole at each moment", () => {
  const turn = fc.oneof(
    { arbitrary: fc.constant("commit" as const), weight: 4 },
    { arbitrary: fc.constant("branch" as const), weight: 2 },
    { arbitrary: fc.constant("back" as const), weight: 2 },
    { arbitrary: fc.constant("forget" as const), weight: 1 },
    { arbitrary: fc.constant("step" as const), weight: 8 },
    { arbitrary: fc.constant("kill" as const), weight: 1 },
  );
  fc.assert(
    fc.property(fc.array(turn, { minLength: 30, maxLength: 80 }), fc.nat(1_000), (turns, seed) => {
      const states = new PrunedStates(stateStore(), 6, seed);
      for (let made = 0; made < 12; made += 1) states.commit();
      for (const [index, one] of turns.entries()) {
        // A budget of nothing is one node, or one slice of a table.
        if (one === "step") states.pruning.step(true, 0);
        else if (one === "forget") states.forgetOld();
        else if (one === "kill") states.reopen();
        else states.commit(one);
        if (index % 3 === 0) states.check();
      }
      states.check();
    }),
    { numRuns: runs(4, 12) },
  );
});

test("a state that comes back after it was forgotten is stored anew where it was thrown away", () => {
  const states = new PrunedStates(stateStore(), 3);
  const first = states.commit();
  for (let made = 0; made < 10; made += 1) states.commit();
  states.forgetOld();
  finish(states.pruning);
  expect(findMissing(states.states, first.root).nodes.length).toBeGreaterThan(0);
  states.commitAgain(first);
  expect(states.states.hasRoot(first.root)).toBe(true);
  states.check();
});

test.each([
  ["this version", (root: Uint8Array) => recordKey(root, Uint8Array.of(7), 1)],
  ["an earlier one", (root: Uint8Array) => mergeableKey(root, Uint8Array.of(7), 1)],
])("number channels of forgotten states go with them, under the keys of %s", (_, keyOf) => {
  const store = stateStore();
  const states = new PrunedStates(store, 2);
  const made = [states.commit(), states.commit(), states.commit(), states.commit()];
  store.write((tables) => {
    for (const { root } of made) tables("mergeable").put(keyOf(root), Uint8Array.of(0, 0));
  });
  states.forgetOld();
  finish(states.pruning);
  expect(made.map(({ root }) => store.table("mergeable").has(keyOf(root)))).toEqual([false, false, true, true]);
});

test("no round begins or goes on while states come from peers", () => {
  let nowMs = 0;
  const store = stateStore();
  const pruning = new StatePruning(store, new StateStore(store), () => nowMs);
  const root = blake2b256(Uint8Array.of(1));
  new StateStore(store).recordRoot(root);
  expect(pruning.step(false, 0).phase).toBe("idle");
  expect(["marking", "done"]).toContain(pruning.step(true, 0).phase);
  pruning.copying();
  expect(pruning.step(true, 0).phase).toBe("idle");
  nowMs = 600_000;
  expect(pruning.step(true, 0).phase).toBe("idle");
  nowMs = 600_001;
  // A root with missing nodes stays recorded.
  expect(finish(pruning)).toBe(0);
  expect(new StateStore(store).hasRoot(root), toHex(root)).toBe(true);
});
