import type { ChainEvent } from "@vedette/chain";
import { TestDag } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { FinalityWatch, silenceMs } from "./FinalityWatch.js";

const startMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** A chain of three validators with 10, 20 and 70 of stake, a clock, and what a node reports about them. */
class WatchedChain {
  readonly dag = new TestDag({ v1: 10, v2: 20, v3: 70 });
  nowMs = startMs;
  readonly watch: FinalityWatch;
  #tip: Block = this.dag.genesis;

  constructor(threshold = 0.1) {
    this.watch = new FinalityWatch(() => this.nowMs, threshold);
  }

  /** A block, and how much time goes by after it. */
  block(creator: string, seconds: number): Block {
    const block = this.dag.next(creator, [this.#tip]);
    this.#tip = block;
    this.watch.onChainEvent({ type: "blockAdded", block } as ChainEvent);
    this.nowMs += seconds * 1_000;
    return block;
  }

  view() {
    return this.watch.view(this.dag.dag);
  }

  line() {
    return this.watch.line(this.view())?.text;
  }
}

test("while all make blocks there is nothing to report", () => {
  const chain = new WatchedChain();
  for (let round = 0; round < 9; round += 1) for (const creator of ["v1", "v2", "v3"]) chain.block(creator, 5);
  chain.watch.onChainEvent({ type: "lastFinalizedChanged" } as ChainEvent);
  expect(chain.view()).toEqual({
    validators: 3,
    inactiveValidators: [],
    stalledSinceMs: undefined,
    reason: undefined,
  });
  expect(chain.line()).toBeUndefined();
});

test("silent validators are reported with their stake, and with the reason why finality stalled", () => {
  const chain = new WatchedChain();
  for (const creator of ["v1", "v2", "v3"]) chain.block(creator, 1);
  for (let round = 0; round < 7; round += 1) chain.block("v1", 10);
  const view = chain.view()!;
  expect(view.inactiveValidators.map(({ stake, sinceMs }) => [stake, sinceMs])).toEqual([
    [20n, startMs + 1_000],
    [70n, startMs + 2_000],
  ]);
  expect(view.stalledSinceMs).toBe(startMs);
  const text =
    "2 of 3 validators silent since 2026-01-02T03:04:07Z, finality stalled at #0 because the others hold 10 % of the stake, 56 % needed";
  expect(view.reason).toBe(text);
  expect(chain.line()).toBe(`${text}.`);
  expect(chain.line()).toBeUndefined();
});

test("a validator that is silent while finality goes on is logged alone; so is its return", () => {
  const chain = new WatchedChain();
  chain.block("v1", silenceMs / 1_000);
  chain.block("v3", 1);
  chain.block("v2", 1);
  chain.watch.onChainEvent({ type: "lastFinalizedChanged" } as ChainEvent);
  expect(chain.line()).toBe("1 of 3 validators silent since 2026-01-02T03:04:05Z.");
  chain.block("v1", 0);
  expect(chain.line()).toBe("Finality progresses, and all validators propose again.");
  expect(chain.line()).toBeUndefined();
});

test("where no validator makes blocks, that is reported only if blocks wait to be final", () => {
  const idle = new WatchedChain();
  idle.nowMs += 3_600_000;
  expect(idle.view()).toMatchObject({ inactiveValidators: [], stalledSinceMs: undefined, reason: undefined });
  idle.block("v1", silenceMs / 1_000 + 1);
  expect(idle.view()?.reason).toMatch(
    /^3 of 3 validators silent .*, finality stalled at #0 because no validator proposes$/,
  );
});

test("validators without agreement and an unreachable threshold are separate causes", () => {
  for (const [threshold, cause] of [
    [0.1, "the proposing validators do not agree on later blocks yet"],
    [1, "casper.fault-tolerance-threshold is higher than any agreement can be"],
  ] as const) {
    const chain = new WatchedChain(threshold);
    for (let round = 0; round < 30; round += 1) for (const creator of ["v1", "v2", "v3"]) chain.block(creator, 1);
    expect(chain.view()?.reason).toBe(`Finality stalled at #0 because ${cause}`);
  }
});

test("a node that has just been started waits; for earlier blocks it goes by their content", () => {
  const chain = new WatchedChain();
  const early = chain.dag.add({ creator: "v2", parents: [chain.dag.genesis], justifications: {}, timestamp: 1_000n });
  expect(early.number).toBe(1n);
  expect(chain.view()?.reason).toBeUndefined();
  for (let round = 0; round < 13; round += 1) chain.block("v1", 5);
  const silent = chain.view()!.inactiveValidators;
  expect(silent.map(({ sinceMs }) => sinceMs)).toEqual([1_000, startMs]);
});

test("a node that is behind reports nothing about unknown blocks", () => {
  const chain = new WatchedChain();
  chain.block("v1", 3_600);
  const phases = ["connecting", "importingState", "replaying", "following", "stalled"] as const;
  expect(phases.map((phase) => chain.watch.viewIn(phase, chain.dag.dag) !== undefined)).toEqual([
    true,
    false,
    false,
    true,
    true,
  ]);
});
