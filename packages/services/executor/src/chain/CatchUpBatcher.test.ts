import type { ChainEvent } from "@vedette/chain";
import { BatchingStore, MemoryStore, tablesOf } from "@vedette/store";
import { until } from "@vedette/testing";
import { expect, test } from "vitest";
import type { ExecutorClient } from "../executor/ExecutorClient.js";
import type { ReplayCall } from "../executor/RnodeExecutor.js";
import { CatchUpBatcher } from "./CatchUpBatcher.js";

const state = (number: number): Uint8Array => new Uint8Array(32).fill(number);
const key = Uint8Array.of(1);

/** A thread with numbers as states: a block leads from its pre-state to the next one. */
class Thread {
  readonly onDisk = new Set([1]);
  readonly held = new Set<number>();
  isHolding = false;
  /** Called before each call of it is answered. */
  before: (what: string) => void = () => {};
  readonly executor = {
    replay: async ({ preState }: ReplayCall) => {
      const number = preState[0]!;
      this.before("replay");
      if (!this.#has(number)) throw new Error("unknown root");
      (this.isHolding ? this.held : this.onDisk).add(number + 1);
      return { kind: "replayed", postStateHash: state(number + 1), bonds: [] };
    },
    hasRoot: async ([number]: Uint8Array) => this.#has(number!),
    flush: async (roots: readonly Uint8Array[]) => {
      this.before("flush");
      this.#flush();
      return roots.every(([number]) => this.#has(number!));
    },
    hold: async (isHolding: boolean) => {
      this.before(`hold ${isHolding}`);
      if (!isHolding) this.#flush();
      this.isHolding = isHolding;
    },
  } as unknown as ExecutorClient;

  /** Its memory goes, and another thread comes in its place, which holds nothing. */
  end(): void {
    this.held.clear();
    this.isHolding = false;
  }

  #flush(): void {
    for (const number of this.held) this.onDisk.add(number);
    this.held.clear();
  }

  #has(number: number): boolean {
    return this.onDisk.has(number) || this.held.has(number);
  }
}

/** A request that ends as soon as it has begun. */
async function readOnce(groups: CatchUpBatcher): Promise<void> {
  let end = () => {};
  await new Promise<void>((resolve) => {
    end = groups.read(resolve);
  });
  end();
}

function begun({ maxMs = 60_000 } = {}) {
  const below = new MemoryStore(tablesOf("chain"));
  const store = new BatchingStore(below, { isHolding: false });
  const thread = new Thread();
  const emitted: number[] = [];
  const clock = { nowMs: 1_000, mayHold: true };
  const onDisk = () => below.table("blocks").get(key)?.[0];
  /** Each block on disk has its state there, and each emitted event's block is on disk. */
  const check = () => {
    const block = onDisk();
    if (block !== undefined) expect(thread.onDisk.has(block + 1)).toBe(true);
    expect(emitted.at(-1) ?? 0).toBeLessThanOrEqual(block ?? 0);
  };
  const groups = new CatchUpBatcher({
    ...{ store, thread: thread.executor, nowMs: () => clock.nowMs, mayHold: () => clock.mayHold },
    emit: (event) => {
      emitted.push((event as unknown as { readonly number: number }).number);
      check();
    },
    limits: { maxBlocks: 3 },
    maxMs,
  });
  const judge = async (number: number) => {
    await groups.executor.replay({ block: state(number), preState: state(number), invalidBlocks: [] });
    store.write((tables) => tables("blocks").put(key, Uint8Array.of(number)));
    groups.onChainEvent({ number } as unknown as ChainEvent);
    await groups.settled(1);
    check();
  };
  return { store, thread, groups, emitted, clock, judge, onDisk };
}

test("a node that is far behind holds blocks, and emits their events when they are on disk; otherwise each by itself", async () => {
  const { groups, clock, judge, onDisk, emitted, thread } = begun();
  clock.mayHold = false;
  await judge(1);
  expect([onDisk(), emitted, groups.isHolding]).toEqual([1, [1], false]);
  clock.mayHold = true;
  for (const number of [2, 3, 4]) await judge(number);
  expect([onDisk(), emitted, groups.isHolding]).toEqual([2, [1, 2], true]);
  await judge(5);
  expect([onDisk(), emitted]).toEqual([5, [1, 2, 3, 4, 5]]);
  await judge(6);
  expect(onDisk()).toBe(5);
  clock.mayHold = false;
  await judge(7);
  expect([onDisk(), emitted.at(-1), groups.isHolding, thread.isHolding]).toEqual([7, 7, false, false]);
});

test("a request finds all on disk, and nothing is held until a while after all requests have ended", async () => {
  const { groups, clock, judge, onDisk, emitted } = begun();
  for (const number of [1, 2]) await judge(number);
  expect(onDisk()).toBe(1);
  const ends: (() => void)[] = [];
  const read = () =>
    new Promise<unknown>((resolve) => {
      ends.push(groups.read(() => resolve([onDisk(), emitted.at(-1)])));
    });
  expect(await Promise.all([read(), read()])).toEqual([
    [2, 2],
    [2, 2],
  ]);
  await judge(3);
  expect([onDisk(), groups.isHolding, await read()]).toEqual([3, false, [3, 3]]);
  const [first, second, third] = ends;
  first!();
  first!();
  second!();
  await judge(4);
  expect([onDisk(), groups.isHolding]).toEqual([4, false]);
  third!();
  await judge(5);
  expect([onDisk(), groups.isHolding]).toEqual([5, false]);
  clock.nowMs += 251;
  for (const number of [6, 7]) await judge(number);
  expect([onDisk(), groups.isHolding]).toEqual([6, true]);
});

test("groups are small for a while after a request", async () => {
  const { groups, clock, judge, onDisk } = begun();
  await readOnce(groups);
  clock.nowMs += 251;
  for (const number of [1, 2]) await judge(number);
  expect(onDisk()).toBe(1);
  clock.nowMs += 26;
  await judge(3);
  expect(onDisk()).toBe(3);
  clock.nowMs += 5_000;
  await judge(4);
  clock.nowMs += 26;
  await judge(5);
  expect([onDisk(), groups.isHolding]).toEqual([3, true]);
});

test("nothing is held for long where no further block comes", async () => {
  const { judge, onDisk, emitted, groups } = begun({ maxMs: 5 });
  await judge(1);
  await judge(2);
  await until("both blocks on disk", () => onDisk() === 2);
  expect([onDisk(), emitted, groups.isHolding]).toEqual([2, [1, 2], true]);
  await groups[Symbol.asyncDispose]();
  await judge(3);
  expect([onDisk(), groups.isHolding]).toEqual([3, false]);
});

test("wherever the thread ends, what is on disk has its state there, and nothing is lost", async () => {
  for (let ends = 0; ends < 40; ends += 1) {
    const { judge, onDisk, emitted, groups, thread, clock } = begun();
    let calls = 0;
    thread.before = () => {
      calls += 1;
      if (calls === ends) thread.end();
    };
    for (let number = 1; number <= 12; number += 1) {
      clock.mayHold = number % 5 !== 0;
      await judge(number);
      if (number === 7) await readOnce(groups);
      clock.nowMs += 200;
    }
    await groups[Symbol.asyncDispose]();
    expect([onDisk(), emitted.length, thread.onDisk.has(13)]).toEqual([12, 12, true]);
  }
});

test("where the disk is full readers are answered, and blocks come there later", async () => {
  const { judge, onDisk, store, groups, emitted } = begun();
  for (const number of [1, 2]) await judge(number);
  const { flush, release } = store;
  store.flush = () => {
    throw new Error("the disk is full");
  };
  let end = () => {};
  await new Promise<void>((resolve) => {
    end = groups.read(resolve);
  });
  expect([onDisk(), emitted, groups.isHolding]).toEqual([1, [1], true]);
  await expect(judge(3)).rejects.toThrow("the disk is full");
  Object.assign(store, { flush, release });
  await judge(4);
  expect([onDisk(), emitted, groups.isHolding]).toEqual([4, [1, 2, 3, 4], false]);
  end();
});

test("no group begins before the one that a request ended is on disk", async () => {
  const { judge, groups, thread, clock } = begun();
  const { flush } = thread.executor;
  const flushes: (() => void)[] = [];
  Object.assign(thread.executor, {
    flush: async (roots: readonly Uint8Array[]) => {
      await new Promise<void>((resolve) => flushes.push(resolve));
      return flush(roots);
    },
  });
  await judge(1);
  clock.nowMs += 60_001;
  const judged = judge(2);
  await until("the group comes to disk", () => flushes.length === 1);
  groups.read(() => {})();
  await until("the thread holds nothing", () => !thread.isHolding);
  flushes[0]!();
  await judged;
  const settled = groups.settled(1);
  await until("the request's own writing", () => flushes.length === 2);
  flushes[1]!();
  await settled;
  await judge(3);
  expect(groups.isHolding).toBe(thread.isHolding);
});
