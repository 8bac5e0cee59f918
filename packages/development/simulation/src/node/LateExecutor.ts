import type { ExecutorApi } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { SeededRandom } from "../random/SeededRandom.js";
import type { Owner, VirtualTime } from "../time/VirtualTime.js";

interface Call {
  readonly method: keyof ExecutorApi;
  readonly run: () => void;
}

const methods: readonly (keyof ExecutorApi)[] = [
  ...(["makeEmptyState", "replay", "play", "playGenesis", "merge", "bonds"] as const),
  ...(["activeValidators", "epochLength", "hasRoot", "recordRoot", "missing", "importPage"] as const),
  ...(["forgetStates", "forgottenBelow", "prune"] as const),
];

/** The duration of calls that execute a block, and of the others. */
const executionMs = 40;
const lookMs = 2;

/** The executor's thread: works on one call after another, and answers later. */
export function delayedExecutor(
  executor: ExecutorApi,
  owner: Owner & { readonly slowness: number },
  { time, random }: { readonly time: VirtualTime; readonly random: SeededRandom },
): ExecutorClient {
  const waiting: Call[] = [];
  let isBusy = false;
  const next = () => {
    const call = waiting.shift();
    isBusy = call !== undefined;
    if (call === undefined) return;
    const usualMs = call.method === "replay" || call.method === "play" ? executionMs : lookMs;
    time.after(usualMs * owner.slowness * (0.5 + random.unit()), owner, call.method, () => {
      call.run();
      next();
    });
  };
  const later = (method: keyof ExecutorApi) => (argument: unknown) =>
    new Promise((resolve, reject) => {
      const run = () => {
        try {
          resolve((executor[method] as (argument: unknown) => unknown).call(executor, argument));
        } catch (error) {
          reject(error);
        }
      };
      waiting.push({ method, run });
      if (!isBusy) next();
    });
  return Object.assign(Object.fromEntries(methods.map((method) => [method, later(method)])), {
    [Symbol.asyncDispose]: async () => undefined,
  }) as unknown as ExecutorClient;
}
