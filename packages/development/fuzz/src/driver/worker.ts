import { parentPort, workerData } from "node:worker_threads";
import { SeededNumbers } from "@vedette/devtools/seededNumbers";
import { CorpusFile } from "./CorpusFile.js";
import { Coverage } from "./Coverage.js";
import { FuzzRun } from "./FuzzRun.js";
import type { RunOrder, RunReport, WorkerMessage } from "./runTarget.js";

const { order, files, shared } = workerData as {
  readonly order: RunOrder;
  readonly files: readonly string[];
  readonly shared: SharedArrayBuffer;
};
const coverage = order.isGuided ? new Coverage((path) => isUnderTest(path, files)) : undefined;
// Loaded here, so that the first lines of the modules are counted, too.
const { loadTarget } = await import("../targets.js");
const target = await loadTarget(order.target);
/** The number of most extreme inputs that are reported. */
const shownBest = 10;
const file = new CorpusFile(target.name);
const run = new FuzzRun({
  target,
  numbers: new SeededNumbers(order.seed),
  corpus: order.inputs ?? file.read(),
  coverage,
  maxInputs: order.maxInputs,
  maxMs: order.maxMs,
  onInput: (input) => publish(input),
  onFinding: (finding) => post({ type: "finding", finding }),
  onProgress: ({ inputs, corpus, findings }) => post({ type: "progress", inputs, corpus: corpus.length, findings }),
});
await run.run();
const report: RunReport = {
  inputs: run.inputs,
  elapsedMs: run.elapsedMs,
  slowestMs: run.slowestMs,
  corpus: run.corpus.length,
  findings: run.findings,
  files: coverage?.files() ?? [],
  best: run.best(shownBest),
};
if (order.keepsCorpus) file.write(await smallest(run.corpus));
post({ type: "done", report });
coverage?.stop();
process.exit();

function post(message: WorkerMessage): void {
  parentPort!.postMessage(message);
}

/** A count, the length, the bytes: what is being fed at this moment. */
function publish(input: Uint8Array): void {
  const words = new Int32Array(shared, 0, 2);
  new Uint8Array(shared, 8).set(input.subarray(0, shared.byteLength - 8));
  words[1] = input.length;
  Atomics.add(words, 0, 1);
}

/** Returns the inputs that reached something when they were found, short ones first, if they still do alone. */
async function smallest(inputs: readonly Uint8Array[]): Promise<Uint8Array[]> {
  if (coverage === undefined) return [...inputs];
  coverage.resume();
  coverage.forget();
  const kept: Uint8Array[] = [];
  for (const input of inputs.toSorted((one, other) => one.length - other.length)) {
    try {
      await target.run(input);
    } catch {
      continue;
    }
    if (coverage.take().length > 0) kept.push(input);
  }
  return kept;
}

function isUnderTest(path: string, beginnings: readonly string[]): boolean {
  if (beginnings.some((beginning) => beginning.startsWith("!") && path.startsWith(beginning.slice(1)))) return false;
  return beginnings.some((beginning) => path.startsWith(beginning));
}
