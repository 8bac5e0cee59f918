import type { Measurements } from "../Measurements.js";
import { benchNetworkMemory } from "./hostileDeploys.js";
import { benchObserverMemory } from "./observerMemory.js";

/** The options of the benchmark. */
export interface MemoryBenchOptions {
  /** The folder of the recorded chain that the observer follows; the observer is left out without. */
  readonly recording: string | undefined;
  /** Which attacks are made, by their names. */
  readonly only?: RegExp | undefined;
  readonly quietMs?: number | undefined;
}

const usualQuietMs = 60_000;
const networkName = "hostile deploys";

/** Abuses running nodes in every way, and measures their memory before, at the peak, and when left alone again. */
export async function benchMemory(measurements: Measurements, options: MemoryBenchOptions): Promise<void> {
  const { recording, only = /./, quietMs = usualQuietMs } = options;
  if (recording === undefined) measurements.skip("memory of an observer", "the recorded chain is not there");
  else if (!only.test(networkName) || only.source === ".")
    await benchObserverMemory(measurements, { recording, only, quietMs });
  if (only.test(networkName)) await benchNetworkMemory(measurements, quietMs);
}
