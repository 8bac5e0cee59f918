import { setTimeout as sleep } from "node:timers/promises";
import type { Measurements } from "../Measurements.js";
import { MemoryWatch } from "./MemoryWatch.js";
import { memoryParts } from "./memoryParts.js";

/** A process that is abused, and how long it gets to recover each time. */
export interface AbusedProcess {
  readonly name: string;
  readonly pid: number;
  readonly quietMs: number;
}

/** Measures the memory of a process before abuse, at most during it, and some time after it, phase by phase. */
export class MemoryPhases implements Disposable {
  readonly #measurements: Measurements;
  readonly #process: AbusedProcess;
  readonly #watch: MemoryWatch;
  #beforeBytes = 0;
  #peakBytes = 0;

  constructor(measurements: Measurements, process: AbusedProcess) {
    this.#measurements = measurements;
    this.#process = process;
    this.#watch = new MemoryWatch(process.pid);
  }

  /** Has the process used, waits until it has come to rest, and takes that as what it held before. */
  async begin(use?: () => Promise<void>): Promise<void> {
    await sleep(this.#process.quietMs);
    if (use !== undefined) {
      this.#add("at its start", this.#watch.now().privateBytes);
      await use();
      await sleep(this.#process.quietMs);
    }
    this.#beforeBytes = this.#watch.now().privateBytes;
    this.#add("before", this.#beforeBytes);
    this.#reportParts("before");
    this.#watch.takePeak();
  }

  async run(name: string, attack: () => Promise<unknown>): Promise<void> {
    const begunMs = performance.now();
    await attack();
    this.#measurements.add(`${this.#process.name}: ${name}, took`, (performance.now() - begunMs) / 1000, "s");
    this.endPhase(name);
    await sleep(this.#process.quietMs);
    this.afterQuiet(name);
  }

  /** Adds the peak of what has just been done to the measurements. */
  endPhase(name: string): void {
    const peakBytes = this.#watch.takePeak();
    this.#peakBytes = Math.max(this.#peakBytes, peakBytes);
    this.#add(`${name}, at the peak`, peakBytes);
  }

  /** Adds what is left of a phase to the measurements. */
  afterQuiet(name: string): void {
    this.#add(`${name}, after`, this.#watch.now().privateBytes);
    this.#reportParts(`${name}, after`);
  }

  /** Adds what is left of everything to the measurements. */
  end(): void {
    const { privateBytes, mappedBytes } = this.#watch.now();
    this.#peakBytes = Math.max(this.#peakBytes, this.#watch.takePeak());
    this.#add("at the highest peak", this.#peakBytes);
    this.#add("mapped database and programs", mappedBytes);
    this.#measurements.add(`${this.#process.name}: memory after / before`, privateBytes / this.#beforeBytes, "times");
  }

  [Symbol.dispose](): void {
    this.#watch[Symbol.dispose]();
  }

  #add(what: string, bytes: number): void {
    this.#measurements.add(`${this.#process.name}: ${what}`, bytes / 1e6, "MB");
  }

  #reportParts(when: string): void {
    const parts = memoryParts(this.#process.pid);
    if (parts === undefined) return;
    const { stacks, arenas, heapBreak, rest } = parts;
    for (const [name, bytes] of Object.entries({ stacks, arenas, "heap break": heapBreak, "isolates and rest": rest }))
      this.#add(`  ${when}: ${name}`, bytes);
  }
}
