import { join } from "node:path";
import type { StateReader } from "@vedette/executor";
import { startDeepThread, startExecutorThread, ThreadCalls } from "@vedette/executor/threads";
import { rnode } from "@vedette/protocol";
import { type Measurements, quantile } from "./Measurements.js";

/** As the program has it: a few files in place of some hundred. */
const bundle = new URL("../../../program/cli/dist/bundle/", import.meta.url);
const readerEntry = new URL("readerThread.js", bundle);
const warmUps = 2;
const timeoutMs = 60_000;
const limits = { heapSizeMb: 240, stackSizeMb: 148, youngSizeMb: 32 } as const;
const signature = new Uint8Array(65).fill(4);

type ReaderMethods = Pick<StateReader, "explore"> & { readonly ready: () => void };

/** Where the state is, and how often a reader begins. */
export interface FirstQueryOptions {
  readonly directory: string;
  readonly rounds: number;
}

/** Measures the first query after a rest: a reader's thread begins, opens the store, and runs a program. */
export async function benchFirstQuery(measurements: Measurements, options: FirstQueryOptions): Promise<void> {
  const stateDirectory = join(options.directory, "first-query");
  const executor = startExecutorThread({ stateDirectory, dialect: rnode.name });
  const root = await executor.makeEmptyState();
  await executor[Symbol.asyncDispose]();
  const times: Record<"begun" | "first" | "second" | "processor", number[]> = {
    begun: [],
    first: [],
    second: [],
    processor: [],
  };
  for (let round = -warmUps; round < options.rounds; round += 1) {
    const found = await beginAndExplore(stateDirectory, root);
    if (round < 0) continue;
    for (const name of ["begun", "first", "second", "processor"] as const) times[name].push(found[name]);
  }
  const median = (name: keyof typeof times) => quantile(times[name], 0.5);
  measurements.add("a reader has begun, median", median("begun"), "ms");
  measurements.add("first query with that, median", median("first"), "ms");
  measurements.add("first query with that, longest", Math.max(...times.first), "ms");
  measurements.add("processor time of both, median", median("processor"), "ms");
  measurements.add("second query, median", median("second"), "ms");
}

async function beginAndExplore(stateDirectory: string, root: Uint8Array) {
  const [startMs, before] = [performance.now(), process.cpuUsage()];
  const settings = {
    ...{ stateDirectory, dialect: rnode.name, id: 1, memory: { maxBytes: 208 << 20, freeBytes: 104 << 20 } },
    ...{ cancelFlag: new SharedArrayBuffer(4), growthCell: new SharedArrayBuffer(4) },
  };
  const worker = startDeepThread(readerEntry, settings, limits);
  const calls = new ThreadCalls<ReaderMethods>(worker, "reader");
  const source = "new return in { return!(1) }";
  const program = { root, source, deployer: signature, signature, timestamp: 0n, timeoutMs, form: "json" } as const;
  await calls.call("ready", undefined);
  const begunMs = performance.now();
  const answer = await calls.call("explore", program);
  if (answer.kind !== "values") throw new Error(`the program has no values: ${answer.kind}`);
  const firstMs = performance.now();
  const { user, system } = process.cpuUsage(before);
  await calls.call("explore", program);
  const second = performance.now() - firstMs;
  await worker.terminate();
  return { begun: begunMs - startMs, first: firstMs - startMs, second, processor: (user + system) / 1000 };
}
