import { toHex } from "@vedette/crypto";
import { describe, expect, test } from "vitest";
import { StreamError } from "../StreamError.js";
import { MemoryQueue } from "../testing/MemoryQueue.js";
import { type CoordinatorEvent, type FinalChain, maxRounds, VerifyCoordinator } from "./VerifyCoordinator.js";
import { maxDeliveries, type ReplayVerdict, VerifyWorker, type WorkerEvent } from "./VerifyWorker.js";
import { encodeResult, encodeTask, idOfTask, readProgress, type VerifyProgress } from "./verifyMessages.js";

const network = "test";
const hashAt = (height: number, side = 0) => toHex(new Uint8Array(32).fill(height).fill(side, 1, 2));

/** One block a height. */
class MadeChain implements FinalChain {
  finalized: number;
  refresh = () => undefined;
  constructor(finalized: number) {
    this.finalized = finalized;
  }
  bounds = () => ({ from: 0, finalized: this.finalized });
  blocks = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => hashAt(from + at));
}

interface World {
  readonly queue: MemoryQueue;
  readonly chain: MadeChain;
  readonly judge: (hash: string) => ReplayVerdict;
  readonly workers: number;
  readonly isOnce: boolean;
  readonly until: (progress: VerifyProgress) => boolean;
}

/** Verifies until all is done, or a progress ends it. */
async function verify(change: Partial<World> = {}) {
  const { queue = new MemoryQueue(), chain = new MadeChain(19), isOnce = true, workers = 2 } = change;
  const { judge = () => ({ kind: "valid" }) as const, until = () => false } = change;
  const events: CoordinatorEvent[] = [];
  const done: WorkerEvent[] = [];
  const judged: string[] = [];
  const controller = new AbortController();
  const running = Array.from({ length: workers }, (_, number) =>
    new VerifyWorker({
      ...{ network, worker: `w${number}`, queue, firstWaitMs: 1, giveBackMs: 1 },
      openJudge: async () => ({
        judge: async (hash) => {
          judged.push(toHex(hash));
          await new Promise((resolve) => setImmediate(resolve));
          return judge(toHex(hash));
        },
        [Symbol.asyncDispose]: async () => undefined,
      }),
      emit: (event) => done.push(event),
    }).run(controller.signal),
  );
  const coordinator = new VerifyCoordinator({
    ...{ network, chain, queue, heights: 8, isOnce, pollMs: 1, firstWaitMs: 1, retryMs: 20 },
    emit: (event) => {
      events.push(event);
      if (event.type === "progress" && until(event.progress)) controller.abort();
    },
  });
  const progress = await coordinator.run(controller.signal);
  controller.abort();
  await Promise.all(running);
  return { progress: progress!, events, done, judged, queue };
}

describe("a chain that several verify", () => {
  test("is verified as a whole, each block once", async () => {
    const { progress, judged, queue, events } = await verify();
    expect(progress).toMatchObject({ from: 0, verifiedTo: 19, finalized: 19, differences: [] });
    expect(progress.segments).toEqual({ verified: 3, differing: 0, unverified: 0, left: 0 });
    expect(judged.toSorted()).toEqual(new MadeChain(19).blocks(0, 19).toSorted());
    expect(readProgress("progress", queue.progress!)).toEqual({ format: "vedette-verify-1", ...progress });
    expect(events.filter(({ type }) => type === "differs")).toEqual([]);
  });

  test("names a block that does not match its statements, and is verified up to before it alone", async () => {
    const judge = (hash: string): ReplayVerdict =>
      hash === hashAt(10) ? { kind: "invalid", reason: "it leads elsewhere" } : { kind: "valid" };
    const { progress, events } = await verify({ judge });
    expect(progress).toMatchObject({ verifiedTo: 7, segments: { verified: 2, differing: 1 } });
    expect(progress.differences).toMatchObject([{ from: 8, hash: hashAt(10), reason: "it leads elsewhere" }]);
    expect(events.filter(({ type }) => type === "differs")).toHaveLength(1);
  });

  test("goes on where it was after its coordinator ended, and follows what becomes final", async () => {
    const queue = new MemoryQueue();
    const chain = new MadeChain(19);
    const isFirst = ({ verifiedTo }: VerifyProgress) => verifiedTo === 15;
    const before = await verify({ queue, chain, isOnce: false, until: isFirst });
    expect(before.judged).toHaveLength(16);
    chain.finalized = 24;
    const { judged, progress } = await verify({ queue, chain, isOnce: false, until: (at) => at.verifiedTo === 23 });
    expect(judged.toSorted()).toEqual(chain.blocks(16, 23).toSorted());
    expect(progress.segments).toEqual({ verified: 3, differing: 0, unverified: 0, left: 0 });
  });

  test("counts no result of other blocks, of fewer, or that is invalid", async () => {
    const queue = new MemoryQueue();
    const task = (blocks: readonly string[]) => idOfTask(encodeTask({ network, from: 0, to: 7, blocks: [...blocks] }));
    const chain = new MadeChain(7);
    const lie = { from: 0, to: 7, worker: "liar", outcome: "verified" } as const;
    const others = chain.blocks(0, 7).with(3, hashAt(3, 1));
    const answers = [
      encodeResult({ ...lie, task: task(others), blocks: 8 }),
      encodeResult({ ...lie, task: task(chain.blocks(0, 7)), blocks: 7 }),
      Uint8Array.of(1, 2, 3),
    ];
    for (const bytes of answers) {
      await queue.report("0-7", bytes);
      const { judged, progress } = await verify({ queue, chain });
      expect(judged).toHaveLength(8);
      expect(progress.verifiedTo).toBe(7);
      queue.kept.clear();
    }
  });

  test("has nothing lost by a worker that dies, nor by a server that forgets", async () => {
    const queue = new MemoryQueue();
    const dead = new Set<string>();
    const take = queue.take.bind(queue);
    let asked = 0;
    queue.take = async () => {
      const lease = await take();
      // The first to take a task never comes back.
      if (lease === undefined || lease.deliveries > 1) return lease;
      const key = lease.subject.slice("task.".length);
      dead.add(key);
      setTimeout(() => queue.expire(key), 5);
      return undefined;
    };
    queue.before = () => {
      asked += 1;
      if (asked % 11 === 0) throw new StreamError({ code: "unusable", server: "memory", reason: "away" });
      if (asked === 30) queue.tasks.length = 0;
    };
    const { progress } = await verify({ queue });
    expect(progress.verifiedTo).toBe(19);
    expect(dead.size).toBe(3);
  });

  test("leaves what one worker lacks to another, and reports what no worker can verify", async () => {
    let refused = 0;
    const sometimes = (hash: string): ReplayVerdict => {
      if (hash !== hashAt(9) || refused++ > 1) return { kind: "valid" };
      return { kind: "unjudged", reason: "the block is not here" };
    };
    const { progress, done } = await verify({ judge: sometimes });
    expect(progress.verifiedTo).toBe(19);
    expect(done.filter(({ type }) => type === "gaveBack")).toHaveLength(2);

    const never = (hash: string): ReplayVerdict =>
      hash === hashAt(9) ? { kind: "unjudged", reason: "the state is not here" } : { kind: "valid" };
    const without = await verify({ judge: never });
    expect(without.progress).toMatchObject({ verifiedTo: 7, segments: { verified: 2, unverified: 1, left: 0 } });
    expect(without.judged.filter((hash) => hash === hashAt(9))).toHaveLength(maxDeliveries * maxRounds);
    expect(without.events.filter(({ type }) => type === "unverified")).toMatchObject([
      { result: { finding: { hash: hashAt(9), reason: "the state is not here" } } },
    ]);
  });

  test("gives up no segment that one worker hands back again and again while others get on", async () => {
    const chain = new MadeChain(79);
    const queue = new MemoryQueue();
    const others = Array.from({ length: 9 }, (_, at) => 8 * (at + 1));
    let given = 0;
    const resultOf = (from: number) => {
      const blocks = chain.blocks(from, from + 7);
      const known = {
        from,
        to: from + 7,
        worker: "one",
        task: idOfTask(encodeTask({ network, from, to: from + 7, blocks })),
      };
      return from === 0
        ? {
            ...known,
            blocks: 0,
            outcome: "unverified" as const,
            finding: { hash: blocks[0]!, reason: "it is not here" },
          }
        : { ...known, blocks: 8, outcome: "verified" as const };
    };
    queue.add = async (key) => {
      if (key === "0-7") given += 1;
      return true;
    };
    // At each look the first segment has come back, and one other is verified, as long as there is one.
    queue.results = async () =>
      [0, ...others.splice(0, 1)].map((from) => ({
        subject: `result.${from}-${from + 7}`,
        bytes: encodeResult(resultOf(from)),
      }));
    const { progress, events } = await verify({ queue, chain, workers: 0 });
    expect(progress.segments).toEqual({ verified: 9, differing: 0, unverified: 1, left: 0 });
    expect(given).toBeGreaterThanOrEqual(9 + maxRounds - 1);
    expect(events.filter(({ type }) => type === "unverified")).toHaveLength(1);
  });

  test("is not held up by a task that ends its workers, and leaves another network's tasks alone", async () => {
    const queue = new MemoryQueue();
    const take = queue.take.bind(queue);
    let taken = 0;
    queue.take = async () => {
      const lease = await take();
      if (lease !== undefined) taken += 1;
      return lease && { ...lease, deliveries: lease.deliveries + maxDeliveries };
    };
    await queue.add("8-9", encodeTask({ network: "other", from: 8, to: 9, blocks: [hashAt(8)] }));
    const { progress, judged } = await verify({ queue, chain: new MadeChain(7) });
    expect(judged).toEqual([]);
    expect(taken).toBe(maxRounds + 1);
    expect(progress.segments).toMatchObject({ unverified: 1, left: 0 });
    expect(queue.kept.size).toBe(1);
  });
});
