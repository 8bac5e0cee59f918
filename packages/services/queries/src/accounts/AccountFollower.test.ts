import type { ChainEvent } from "@vedette/chain";
import type { QueryReaders } from "@vedette/executor/threads";
import type { Block } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import { FakeEventChain } from "../events/testing/FakeEventChain.js";
import { unexecutedChain } from "../testing/unexecutedChain.js";
import { AccountFollower } from "./AccountFollower.js";
import { AccountIndex } from "./AccountIndex.js";

/** Finds no transfers in any block. */
const readers = {
  call: async (_name: string, { blocks }: { readonly blocks: readonly unknown[] }) =>
    blocks.map(() => ({ kind: "found", value: { deploys: [], systemDeploys: [] } })),
} as unknown as QueryReaders;

/** Time passes as fast as the follower lets it. */
const timers = {
  after: (_ms: number, action: () => void) => {
    const planned = setImmediate(action);
    return () => clearImmediate(planned);
  },
  yieldNow: () => new Promise<void>((resolve) => void setImmediate(resolve)),
};

function followed() {
  const made = new FakeEventChain();
  const store = new MemoryStore(tablesOf("chain"));
  const chain = unexecutedChain(store);
  const index = new AccountIndex(store);
  /** The heights at which the follower has looked for missing blocks. */
  const looked: bigint[] = [];
  const { dag } = chain;
  const blocksByHeight = dag.blocksByHeight.bind(dag);
  dag.blocksByHeight = function* (...range) {
    for (const one of blocksByHeight(...range)) {
      looked.push(one.height);
      yield one;
    }
  };
  const failures: string[] = [];
  let isHolding = false;
  const waiting: (() => void)[] = [];
  const follower = new AccountFollower({
    ...{ index, dag, reporting: chain.reporting, readers, timers },
    findBytes: (hash) => chain.blocks.findBytes(hash),
    emit: (event) => event.type === "accountsFailed" && failures.push(event.reason),
    onDisk: (work) => void (isHolding ? waiting.push(work) : work()),
  });
  chain.insertApproved(made.genesis);
  const insert = (block: Block) => {
    chain.insertTrusted(block, false);
    return () => follower.onChainEvent({ type: "blockAdded", block } as ChainEvent);
  };
  return {
    ...{ made, index, looked, follower, insert },
    complete: () =>
      until("a complete index", () => {
        expect(failures).toEqual([]);
        return index.size === index.wanted;
      }),
    hold: () => (isHolding = true),
    release: () => {
      isHolding = false;
      for (const work of waiting.splice(0)) work();
    },
  };
}

test("however long a chain is, only its newest blocks are looked for, and one far below where that finds none", async () => {
  const { made, index, looked, follower, insert, complete } = followed();
  for (const block of made.grow(60)) insert(block);
  const ended = new AbortController();
  const running = follower.run(ended.signal);
  await complete();
  expect(new Set(looked).size).toBe(61);
  looked.splice(0);
  for (const block of made.grow(5)) insert(block);
  await complete();
  expect(looked.filter((height) => height < 60n)).toEqual([]);
  insert(new FakeEventChain().grow(1)[0]!);
  await complete();
  expect(index.size).toBe(67);
  ended.abort();
  await running;
});

test("blocks are not looked for whose events wait until they are on disk", async () => {
  const { made, index, looked, follower, insert, complete, hold, release } = followed();
  const ended = new AbortController();
  const running = follower.run(ended.signal);
  await complete();
  for (let round = 0; round < 3; round += 1) {
    looked.splice(0);
    hold();
    const events = made.grow(5).map(insert);
    for (let turn = 0; turn < 20; turn += 1) await timers.yieldNow();
    for (const event of events) event();
    release();
    await complete();
    expect(looked).toEqual([]);
  }
  expect(index.size).toBe(16);
  ended.abort();
  await running;
});

test("a follower that waits until all is on disk ends at the signal", async () => {
  const { made, looked, follower, insert, hold, release } = followed();
  for (const block of made.grow(2)) insert(block);
  hold();
  const ended = new AbortController();
  let isRunning = true;
  void follower.run(ended.signal).finally(() => (isRunning = false));
  for (let turn = 0; turn < 20; turn += 1) await timers.yieldNow();
  ended.abort();
  await until("the end", () => !isRunning);
  release();
  expect(looked).toEqual([]);
});
