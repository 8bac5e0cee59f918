import { describe, expect, it } from "vitest";
import { isBehind } from "./isBehind.js";
import { ReadScheduler, readShareOf, type TurnClock } from "./ReadScheduler.js";

/** An event loop with virtual time: turns take no time; tasks and timers let it pass. */
class FakeLoop implements TurnClock {
  now = 1_000;
  #soon: (() => void)[] = [];
  #later: { readonly atMs: number; readonly action: () => void }[] = [];
  /** Called between two turns of the loop, where the chain's work comes. */
  between: () => void = () => {};

  readonly nowMs = (): number => this.now;
  readonly soon = (action: () => void): void => void this.#soon.push(action);
  readonly later = (action: () => void, milliseconds: number): void =>
    void this.#later.push({ atMs: this.now + milliseconds, action });

  /** Runs until a time, or until nothing is planned. */
  run(untilMs: number): void {
    while (this.now < untilMs) {
      this.between();
      const due = this.#later.filter(({ atMs }) => atMs <= this.now);
      this.#later = this.#later.filter(({ atMs }) => atMs > this.now);
      for (const { action } of due) action();
      for (const action of this.#soon.splice(0)) action();
      if (this.#soon.length > 0) continue;
      const next = Math.min(...this.#later.map(({ atMs }) => atMs));
      if (next === Number.POSITIVE_INFINITY) return;
      this.now = Math.max(this.now, Math.min(next, untilMs));
    }
  }
}

const share = { share: 0.4, sliceMs: 2, overheadMs: 0 };

/** Runs clients that send the next request after each answer; each answer takes the thread for the given time. */
function requestForever(loop: FakeLoop, turns: ReadScheduler, clients: number, costMs: number): { served: number[] } {
  const result = { served: [] as number[] };
  const ask = (client: number): void =>
    turns.take(() => {
      loop.now += costMs;
      result.served.push(client);
      loop.soon(() => ask(client));
    });
  for (let client = 0; client < clients; client += 1) ask(client);
  return result;
}

describe("turns of reads", () => {
  it("are taken at once while the node is not behind", () => {
    const turns = new ReadScheduler(() => false, share, new FakeLoop());
    const done: number[] = [];
    for (let index = 0; index < 1_000; index += 1) turns.take(() => done.push(index));
    expect([done.length, turns.waiting]).toEqual([1_000, 0]);
  });

  it.each([0.05, 0.13, 1, 7])("take their share of the time and not more, at %d ms each", (costMs) => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, share, loop);
    const { served } = requestForever(loop, turns, 16, costMs);
    loop.run(11_000);
    const used = (served.length * costMs) / 10_000;
    expect(used).toBeGreaterThan(0.35);
    expect(used).toBeLessThan(0.405);
  });

  it("are charged for the reading of requests too", () => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, { ...share, overheadMs: 0.1 }, loop);
    const { served } = requestForever(loop, turns, 16, 0.1);
    loop.run(11_000);
    // Half of the share goes to what comes beside the turns.
    expect((served.length * 0.1) / 10_000).toBeGreaterThan(0.17);
    expect((served.length * 0.1) / 10_000).toBeLessThan(0.205);
  });

  it("let the chain's work in after a slice", () => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, share, loop);
    let lastMs = loop.now;
    let longest = 0;
    loop.between = () => {
      longest = Math.max(longest, loop.now - lastMs);
      lastMs = loop.now;
    };
    let served = 0;
    const ask = (): void =>
      turns.take(() => {
        loop.now += 0.25;
        served += 1;
        loop.soon(ask);
      });
    for (let client = 0; client < 500; client += 1) ask();
    loop.run(2_000);
    expect(served).toBeGreaterThan(1_000);
    // A slice, the work that ends it, and the wait for the next one.
    expect(longest).toBeLessThanOrEqual(2 + 0.25 + 4);
  });

  it("make up for what one long work of the chain has kept from them, in slices", () => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, share, loop);
    // Every 60 ms the chain takes the thread for 30.
    let nextMs = loop.now + 30;
    const slices: number[] = [];
    let markMs = loop.now;
    loop.between = () => {
      slices.push(loop.now - markMs);
      if (loop.now >= nextMs) {
        loop.now += 30;
        nextMs = loop.now + 30;
      }
      markMs = loop.now;
    };
    const { served } = requestForever(loop, turns, 16, 0.1);
    loop.run(11_000);
    const used = (served.length * 0.1) / 10_000;
    expect(used).toBeGreaterThan(0.35);
    expect(used).toBeLessThan(0.405);
    expect(Math.max(...slices)).toBeLessThanOrEqual(2 + 0.1 + 4);
  });

  it("come in the order of arrival, and every client is served", () => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, share, loop);
    const { served } = requestForever(loop, turns, 16, 0.2);
    loop.run(3_000);
    const counts = Array.from({ length: 16 }, (_, client) => served.filter((one) => one === client).length);
    expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1);
  });

  it("are not held back any longer when the node has caught up", () => {
    const loop = new FakeLoop();
    let behind = true;
    const turns = new ReadScheduler(() => behind, share, loop);
    const done: number[] = [];
    for (let index = 0; index < 5_000; index += 1)
      turns.take(() => {
        loop.now += 0.01;
        done.push(index);
      });
    loop.run(1_010);
    expect(done.length).toBeLessThan(1_000);
    behind = false;
    loop.run(1_100);
    expect([done.length, turns.waiting]).toEqual([5_000, 0]);
    expect(done.every((value, index) => value === index)).toBe(true);
  });

  it("wait out a work that took long", () => {
    const loop = new FakeLoop();
    const turns = new ReadScheduler(() => true, share, loop);
    turns.take(() => {
      loop.now += 40;
    });
    const startedMs: number[] = [];
    turns.take(() => startedMs.push(loop.now));
    loop.run(2_000);
    // The share holds over the work's own time and the pause after it.
    expect(startedMs[0]! - 1_000).toBeGreaterThan((40 - share.sliceMs) / share.share);
    expect(startedMs[0]! - 1_000).toBeLessThan((40 + share.sliceMs) / share.share);
  });

  it("are a smaller share where the executor leaves one core", () => {
    expect(readShareOf(2).share).toBeLessThan(readShareOf(4).share);
    expect(readShareOf(64).share).toBeLessThan(1);
  });
});

describe("a node is behind", () => {
  const running = { state: "running", waitingBlocks: 0, validatableBlocks: 0 } as const;

  it.each([
    ["while blocks wait for the one that is executed", { ...running, waitingBlocks: 3 }, 1, true],
    ["while a state is imported", { ...running, state: "initializing" as const }, 1, true],
    ["not when it executes the newest block", running, 1, false],
    ["not when blocks wait for parents that no peer has", { ...running, waitingBlocks: 3 }, 0, false],
    ["not before it knows a peer", { ...running, state: "waiting" as const }, 0, false],
  ])("%s", (_title, status, executorCalls, expected) => {
    expect(isBehind(status, executorCalls)).toBe(expected);
  });
});
