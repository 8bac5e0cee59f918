import { Worker } from "node:worker_threads";
import type { FileCoverage } from "./Coverage.js";
import type { FuzzFailure } from "./FuzzFailure.js";
import type { Target } from "./Target.js";

/** The order for one target. */
export interface RunOrder {
  readonly target: string;
  readonly seed: number;
  readonly maxInputs: number;
  readonly maxMs: number;
  readonly isGuided: boolean;
  /** Whether the inputs that are worth something become the corpus of the repository. */
  readonly keepsCorpus: boolean;
  /** Instead of the corpus. */
  readonly inputs?: readonly Uint8Array[];
}

/** How it went. */
export interface RunReport {
  readonly inputs: number;
  readonly elapsedMs: number;
  readonly slowestMs: number;
  readonly corpus: number;
  readonly findings: number;
  readonly files: readonly FileCoverage[];
  /** The most extreme inputs, for targets that climb. */
  readonly best: readonly { readonly height: number; readonly shown: string }[];
}

/** A message from the thread of a target. */
export type WorkerMessage =
  | { readonly type: "finding"; readonly finding: FuzzFailure }
  | { readonly type: "progress"; readonly inputs: number; readonly corpus: number; readonly findings: number }
  | { readonly type: "done"; readonly report: RunReport };

export interface RunWatcher {
  readonly onFinding: (finding: FuzzFailure) => void;
  readonly onProgress: (inputs: number, corpus: number, findings: number) => void;
}

const longestInputBytes = 65_536;
const watchMs = 2_000;
/** An input that is not done after this many looks never ends. */
const maxChecks = 15;
/** An input that needs more is a finding. */
const limits = { maxOldGenerationSizeMb: 1_024, maxYoungGenerationSizeMb: 64, stackSizeMb: 64 };

/**
 * Runs a target on a thread of its own, which may run out of memory or never come back.
 *
 * @returns `undefined` if the thread did not get to its end; the finding was reported
 */
export async function runTarget(target: Target, order: RunOrder, watcher: RunWatcher): Promise<RunReport | undefined> {
  const shared = new SharedArrayBuffer(longestInputBytes + 8);
  const worker = new Worker(new URL("./worker.js", import.meta.url), {
    workerData: { order, files: target.files, shared },
    resourceLimits: limits,
  });
  const lost = (message: string) => {
    const input = lastInput(shared);
    watcher.onFinding({ key: message, message, input, shown: target.show(input) });
  };
  return new Promise((resolve, reject) => {
    const watch = setInterval(
      lookAt(shared, () => {
        lost(`an input was not done after ${(maxChecks * watchMs) / 1_000} s`);
        void worker.terminate();
      }),
      watchMs,
    );
    let report: RunReport | undefined;
    worker.on("message", (message: WorkerMessage) => {
      if (message.type === "finding") watcher.onFinding(message.finding);
      else if (message.type === "progress") watcher.onProgress(message.inputs, message.corpus, message.findings);
      else report = message.report;
    });
    worker.on("error", (error: Error & { readonly code?: string }) => {
      clearInterval(watch);
      if (error.code !== "ERR_WORKER_OUT_OF_MEMORY") return reject(error);
      lost(`the thread's memory of ${limits.maxOldGenerationSizeMb} MB was full`);
      resolve(undefined);
    });
    worker.on("exit", () => {
      clearInterval(watch);
      resolve(report);
    });
  });
}

function lastInput(shared: SharedArrayBuffer): Uint8Array {
  const length = Math.min(new Int32Array(shared, 0, 2)[1]!, longestInputBytes);
  return new Uint8Array(shared, 8, length).slice();
}

/** Calls back once when the same input is seen too often. */
function lookAt(shared: SharedArrayBuffer, onStuck: () => void): () => void {
  const words = new Int32Array(shared, 0, 2);
  let seen = 0;
  let looks = 0;
  return () => {
    const count = Atomics.load(words, 0);
    looks = count === seen && count > 0 ? looks + 1 : 0;
    seen = count;
    if (looks === maxChecks) onStuck();
  };
}
