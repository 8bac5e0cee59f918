import type { Executor } from "@vedette/executor/threads";

/** An executor whose work is counted. */
export interface MeasuredExecutor {
  readonly executor: Executor;
  /** Calls that it works on, or that wait for it. */
  readonly pending: () => number;
}

/** Who is told of an executor's work. */
export interface ExecutorWatch {
  readonly onReplayed: (milliseconds: number) => void;
  readonly onFailed: (error: unknown) => void;
}

/** Counts the calls of an executor, and how long each block takes without the wait for those before it. */
export function measuredExecutor(
  executor: Executor,
  { onReplayed, onFailed }: ExecutorWatch,
  nowMs: () => number,
): MeasuredExecutor {
  let pending = 0;
  /** When the last answer came: calls are worked on one after the other. */
  let freeMs = Number.NEGATIVE_INFINITY;
  const counted = <Call extends readonly unknown[], Answer>(method: (...call: Call) => Promise<Answer>) => {
    return async (...call: Call): Promise<Answer> => {
      pending += 1;
      try {
        return await method(...call);
      } catch (error) {
        onFailed(error);
        throw error;
      } finally {
        pending -= 1;
        freeMs = nowMs();
      }
    };
  };
  const methods = Object.entries(executor).map(([name, method]) => [name, counted(method)] as const);
  const replay: Executor["replay"] = counted(async (...call) => {
    const requestedMs = nowMs();
    const answer = await executor.replay(...call);
    onReplayed(nowMs() - Math.max(requestedMs, freeMs));
    return answer;
  });
  return {
    executor: {
      ...(Object.fromEntries(methods) as unknown as Executor),
      replay,
      [Symbol.asyncDispose]: () => executor[Symbol.asyncDispose](),
    },
    pending: () => pending,
  };
}
