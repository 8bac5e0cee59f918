import { type ExecutorClient, type ExecutorOperation, executorClientOf } from "@vedette/executor/threads";

/** An executor with counted calls. */
export interface MeasuredExecutor {
  readonly executor: ExecutorClient;
  /** Calls that it works on, or that wait for it. */
  readonly pending: () => number;
}

/** Receives measurements and failures of an executor. */
export interface ExecutorWatch {
  readonly onReplayed: (milliseconds: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Counts the calls of an executor, and how long each block takes without the wait for those before it. */
export function measuredExecutor(
  executor: ExecutorClient,
  { onReplayed, onFailed }: ExecutorWatch,
  nowMs: () => number,
): MeasuredExecutor {
  let pending = 0;
  /** When the last answer came: calls are worked on one after the other. */
  let freeMs = Number.NEGATIVE_INFINITY;
  const call = async (operation: ExecutorOperation, argument: unknown): Promise<unknown> => {
    pending += 1;
    const requestedMs = nowMs();
    try {
      const answer = await (executor[operation] as (argument: unknown) => Promise<unknown>)(argument);
      if (operation === "replay") onReplayed(nowMs() - Math.max(requestedMs, freeMs));
      return answer;
    } catch (error) {
      onFailed(error);
      throw error;
    } finally {
      pending -= 1;
      freeMs = nowMs();
    }
  };
  return {
    executor: executorClientOf(call, async () => executor[Symbol.asyncDispose]()),
    pending: () => pending,
  };
}
