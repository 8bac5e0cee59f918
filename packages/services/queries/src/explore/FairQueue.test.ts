import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FairQueue, type FairQueueLimits } from "./FairQueue.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const never = new AbortController().signal;

/** A queue, with work in it that goes on until the test ends it. */
class Trial {
  readonly #gate: FairQueue;
  readonly begun: string[] = [];
  readonly refused: string[] = [];
  readonly #ends: (() => void)[] = [];

  constructor(limits: Partial<FairQueueLimits> = {}) {
    this.#gate = new FairQueue({ running: 1, ofOneClient: 10, waiting: 10, longestWaitMs: 1_000, ...limits });
  }

  async come(client: string | undefined, name: string, signal = never, bytes = 0): Promise<void> {
    const work = () => {
      this.begun.push(name);
      return new Promise<void>((resolve) => this.#ends.push(resolve));
    };
    await this.#gate
      .run({ client, signal, bytes }, work)
      .catch(({ failure }) => this.refused.push(`${name}: ${failure.code}`));
  }

  /** Ends the work that began first, and lets follow what follows. */
  async endOne(): Promise<void> {
    await vi.advanceTimersByTimeAsync(0);
    this.#ends.shift()!();
    await vi.advanceTimersByTimeAsync(0);
  }
}

test("clients take turns, for any load of one of them", async () => {
  const trial = new Trial();
  for (const name of ["a1", "a2", "a3", "a4"]) void trial.come("a", name);
  for (const name of ["b1", "b2"]) void trial.come("b", name);
  void trial.come(undefined, "c1");
  for (let i = 0; i < 6; i += 1) await trial.endOne();
  expect(trial.begun).toEqual(["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

test("as many as may run at once", async () => {
  const trial = new Trial({ running: 2 });
  for (const name of ["a1", "a2", "a3"]) void trial.come("a", name);
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.begun).toEqual(["a1", "a2"]);
  await trial.endOne();
  expect(trial.begun).toEqual(["a1", "a2", "a3"]);
});

test("a client's share counts running and waiting work, and is given back", async () => {
  const trial = new Trial({ ofOneClient: 2 });
  for (const name of ["a1", "a2", "a3"]) void trial.come("a", name);
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.refused).toEqual(["a3: tooMany"]);
  await trial.endOne();
  void trial.come("a", "a4");
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.refused).toEqual(["a3: tooMany"]);
  await trial.endOne();
  expect(trial.begun).toEqual(["a1", "a2", "a4"]);
});

test("what waits is bounded in number and memory", async () => {
  const trial = new Trial({ waiting: 2, waitingBytes: 100 });
  await Promise.race([trial.come("a", "a1", never, 1_000), vi.advanceTimersByTimeAsync(0)]);
  void trial.come("b", "b1", never, 99);
  void trial.come("c", "c1", never, 2);
  void trial.come("c", "c2", never, 1);
  void trial.come("d", "d1");
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.refused).toEqual(["b1: busy", "c2: busy"]);
  await trial.endOne();
  void trial.come("d", "d2", never, 99);
  await vi.advanceTimersByTimeAsync(0);
  expect([trial.begun, trial.refused.length]).toEqual([["a1", "c1"], 2]);
});

test("when as many wait as may, the client that has most loses its newest one to a client with fewer", async () => {
  const trial = new Trial({ waiting: 4 });
  for (const name of ["a1", "a2", "a3", "a4", "a5", "a6"]) void trial.come("a", name);
  await vi.advanceTimersByTimeAsync(0);
  expect(trial.refused).toEqual(["a6: busy"]);
  for (const name of ["b1", "b2", "b3"]) void trial.come("b", name);
  await vi.advanceTimersByTimeAsync(0);
  // Each has half then.
  expect(trial.refused).toEqual(["a6: busy", "a5: busy", "a4: busy", "b3: busy"]);
  for (let i = 0; i < 4; i += 1) await trial.endOne();
  expect(trial.begun).toEqual(["a1", "b1", "a2", "b2", "a3"]);
});

test("no work waits longer than the longest wait, nor after its client has left", async () => {
  const trial = new Trial();
  const leaving = new AbortController();
  void trial.come("a", "a1");
  void trial.come("b", "b1", leaving.signal);
  void trial.come("c", "c1");
  leaving.abort();
  await vi.advanceTimersByTimeAsync(999);
  expect(trial.refused).toEqual(["b1: cancelled"]);
  await vi.advanceTimersByTimeAsync(1);
  expect(trial.refused).toEqual(["b1: cancelled", "c1: waitedTooLong"]);
  void trial.come("d", "d1", AbortSignal.abort());
  void trial.come("e", "e1");
  await trial.endOne();
  expect([trial.begun, trial.refused.at(-1)]).toEqual([["a1", "e1"], "d1: cancelled"]);
  expect(vi.getTimerCount()).toBe(0);
});

test("work that fails makes room", async () => {
  const gate = new FairQueue({ running: 1, ofOneClient: 1, waiting: 1, longestWaitMs: 1_000 });
  const fails = () => Promise.reject(new RangeError("it fails"));
  await expect(gate.run({ client: "a", signal: never }, fails)).rejects.toThrow("it fails");
  expect(await gate.run({ client: "a", signal: never }, async () => "done")).toBe("done");
});
