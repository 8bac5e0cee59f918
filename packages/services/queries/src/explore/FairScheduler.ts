import type { OnWorked } from "@vedette/executor/threads";
import { addressKey } from "@vedette/network";
import { StateQueryError } from "../state/StateQueryError.js";
import { FairQueue, FairQueueError } from "./FairQueue.js";

/** The client that waits for its turn, and the memory of the waiting request. */
export interface ScheduledRequest {
  /** An address; `undefined` for clients that cannot be distinguished. */
  readonly client: string | undefined;
  /** Left out: it is waited for as long as may be. */
  readonly signal?: AbortSignal | undefined;
  readonly bytes: number;
}

/** Questions of one address that may be answered and wait; of all that may wait; and for how long. @spec 50 §1.11 */
const limits = { ofOneClient: 128, waiting: 1_000, waitingBytes: 64 << 20, longestWaitMs: 30_000 } as const;

/** When programs leave pauses between them. */
export interface ThrottleOptions {
  /** Whether the machine has more urgent work. */
  readonly isBehind: () => boolean;
  /** The programs' share of the time of a core then: more than 0, at most 1. */
  readonly share: number;
  readonly nowMs: () => number;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** A program that took very long does not keep others waiting for as long again. */
const longestRestMs = 1_000;

/** Lets clients have their questions answered in turns. @spec 50 §1.11 */
export class FairScheduler {
  readonly #gate: FairQueue;
  readonly #rests: ThrottleOptions | undefined;

  /** @param atOnce questions that are answered at the same time */
  constructor(atOnce: number, rests?: ThrottleOptions) {
    this.#rests = rests;
    this.#gate = new FairQueue({ running: atOnce, ...limits });
  }

  /**
   * Does the work when it is the client's turn.
   *
   * @param work reports how long a reader worked on it; where it does not, its whole duration counts
   * @throws {StateQueryError}
   */
  async take<T>(turn: ScheduledRequest, work: (onWorked: OnWorked) => Promise<T>): Promise<T> {
    try {
      const client = turn.client === undefined ? undefined : addressKey(turn.client);
      return await this.#answered({ ...turn, client }, work);
    } catch (cause) {
      if (!(cause instanceof FairQueueError)) throw cause;
      switch (cause.failure.code) {
        case "tooMany":
          throw new StateQueryError({ code: "tooMany", most: limits.ofOneClient }, { cause });
        case "busy":
        case "waitedTooLong":
          throw new StateQueryError({ code: "busy" }, { cause });
        case "cancelled":
          throw new StateQueryError({ code: "gaveUp", message: "The query was cancelled." }, { cause });
      }
    }
  }

  /** The answer does not wait for the rest after it; the next work does. */
  #answered<T>(visitor: ScheduledRequest, work: (onWorked: OnWorked) => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const workAndRest = async () => {
        const begunMs = this.#rests?.nowMs() ?? 0;
        let workedMs: number | undefined;
        const answer = work((milliseconds) => {
          workedMs = milliseconds;
        });
        answer.then(resolve, reject);
        await answer.catch(() => undefined);
        await this.#rest(begunMs, workedMs);
      };
      this.#gate.run(visitor, workAndRest).catch(reject);
    });
  }

  /** Rests in proportion to the program's own time, so that a late answer on this thread does not count. */
  async #rest(begunMs: number, workedMs: number | undefined): Promise<void> {
    const rests = this.#rests;
    if (rests === undefined || rests.share >= 1 || !rests.isBehind()) return;
    const usedMs = workedMs ?? rests.nowMs() - begunMs;
    await rests.wait(Math.min(longestRestMs, usedMs * (1 / rests.share - 1)));
  }
}
