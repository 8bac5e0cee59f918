import { setTimeout as sleep } from "node:timers/promises";
import { fromHex } from "@vedette/crypto";
import { StreamError } from "../StreamError.js";
import type { TaskLease, VerifyQueue } from "./VerifyQueue.js";
import {
  encodeResult,
  idOfTask,
  keyOfSegment,
  readTask,
  type VerifyResult,
  type VerifyTask,
} from "./verifyMessages.js";

/** The verdict on a verified block. */
export type ReplayVerdict =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid" | "unjudged"; readonly reason: string };

/** Executes the blocks of a task. */
export interface TaskJudge extends AsyncDisposable {
  judge(hash: Uint8Array): Promise<ReplayVerdict>;
}

/** Reports about a worker's work. */
export type WorkerEvent =
  | { readonly type: "begun" }
  | { readonly type: "took"; readonly from: number; readonly to: number; readonly deliveries: number }
  | { readonly type: "verified"; readonly result: VerifyResult; readonly ms: number }
  /** Blocks are not here, so that another worker may try. */
  | { readonly type: "gaveBack"; readonly from: number; readonly reason: string }
  | { readonly type: "failed"; readonly error: Error; readonly waitMs: number };

/** The parts that a worker works with. */
export interface VerifyWorkerOptions {
  readonly network: string;
  /** Names this worker to people. */
  readonly worker: string;
  readonly queue: VerifyQueue;
  /** Opens what the blocks of one task are executed on. */
  readonly openJudge: () => Promise<TaskJudge>;
  readonly emit: (event: WorkerEvent) => void;
  readonly firstWaitMs?: number;
  /** Before a task that could not be verified here is given to others. */
  readonly giveBackMs?: number;
}

const usualFirstWaitMs = 250;
const longestWaitMs = 30_000;
const usualGiveBackMs = 5_000;
/** A task that was taken so often without an end is reported as one that could not be verified so far. */
export const maxDeliveries = 5;

/**
 * Takes tasks from a queue that it shares with others, executes their blocks again, and reports. A task is leased: if
 * its worker dies, it goes to another when the lease runs out. It is reported before it is given up, so that none is
 * lost; at worst it is verified twice.
 *
 * @spec 40 §20.2
 */
export class VerifyWorker {
  readonly #options: VerifyWorkerOptions;

  constructor(options: VerifyWorkerOptions) {
    this.#options = options;
  }

  /** Works until the signal. @throws {StreamError} `otherStream`: what does not pass by itself */
  async run(signal: AbortSignal): Promise<void> {
    const { queue, emit, firstWaitMs = usualFirstWaitMs } = this.#options;
    let waitMs = firstWaitMs;
    let isOpen = false;
    while (!signal.aborted) {
      try {
        if (!isOpen) {
          await queue.open();
          emit({ type: "begun" });
        }
        isOpen = true;
        const lease = await queue.take();
        if (lease !== undefined) await this.#work(lease, signal);
        waitMs = firstWaitMs;
      } catch (error) {
        if (error instanceof StreamError && error.failure.code === "otherStream") throw error;
        if (signal.aborted) return;
        isOpen = false;
        emit({ type: "failed", error: error as Error, waitMs });
        await sleep(waitMs, undefined, { signal }).catch(() => undefined);
        waitMs = Math.min(longestWaitMs, 2 * waitMs);
      }
    }
  }

  async #work(lease: TaskLease, signal: AbortSignal): Promise<void> {
    const { network, queue, emit, giveBackMs = usualGiveBackMs } = this.#options;
    const task = this.#taskOf(lease);
    if (task === undefined || task.network !== network) {
      await lease.finish();
      return;
    }
    const { from, to } = task;
    emit({ type: "took", from, to, deliveries: lease.deliveries });
    const extension = setInterval(() => lease.extend(), queue.leaseMs / 3);
    try {
      const beganMs = performance.now();
      const result = await this.#verify(task, lease, signal);
      if (result === undefined) {
        lease.giveBack(0);
        return;
      }
      if (result.outcome === "unverified" && lease.deliveries < maxDeliveries) {
        lease.giveBack(giveBackMs);
        emit({ type: "gaveBack", from, reason: result.finding?.reason ?? "" });
        return;
      }
      await queue.report(keyOfSegment(task), encodeResult(result));
      await lease.finish();
      emit({ type: "verified", result, ms: performance.now() - beganMs });
    } catch (error) {
      lease.giveBack(giveBackMs);
      throw error;
    } finally {
      clearInterval(extension);
    }
  }

  #taskOf({ subject, bytes }: TaskLease): VerifyTask | undefined {
    try {
      return readTask(subject, bytes);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.#options.emit({ type: "failed", error, waitMs: 0 });
      return undefined;
    }
  }

  /** @returns `undefined` where the signal came before the end */
  async #verify(
    { from, to, blocks }: VerifyTask,
    { bytes, deliveries }: TaskLease,
    signal: AbortSignal,
  ): Promise<VerifyResult | undefined> {
    const { worker, openJudge } = this.#options;
    const known = { from, to, task: idOfTask(bytes), worker: worker.slice(0, 100) };
    if (deliveries > maxDeliveries) {
      const reason = `it was taken ${deliveries - 1} times, and no worker finished it`;
      return { ...known, blocks: 0, outcome: "unfinished", finding: { hash: blocks[0]!, reason } };
    }
    await using judge = await openJudge();
    let unjudged: VerifyResult["finding"];
    let verified = 0;
    for (const hash of blocks) {
      if (signal.aborted) return undefined;
      const verdict = await judge.judge(fromHex(hash));
      if (verdict.kind === "valid") {
        verified += 1;
        continue;
      }
      const finding = { hash, reason: verdict.reason };
      if (verdict.kind === "invalid") return { ...known, blocks: verified, outcome: "differs", finding };
      unjudged ??= finding;
    }
    if (unjudged === undefined) return { ...known, blocks: verified, outcome: "verified" };
    return { ...known, blocks: verified, outcome: "unverified", finding: unjudged };
  }
}
