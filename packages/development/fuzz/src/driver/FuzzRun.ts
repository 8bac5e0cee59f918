import type { SeededNumbers } from "@vedette/devtools/seededNumbers";
import type { Coverage, Place } from "./Coverage.js";
import { type FuzzFailure, keyOf } from "./FuzzFailure.js";
import { Mutator } from "./Mutator.js";
import type { Target } from "./Target.js";

export interface FuzzOptions {
  readonly target: Target;
  readonly numbers: SeededNumbers;
  readonly corpus: readonly Uint8Array[];
  /** Without it inputs are made blindly. */
  readonly coverage?: Coverage | undefined;
  readonly maxInputs: number;
  readonly maxMs: number;
  /** Called before an input is fed, so that the input is known if it never ends. */
  readonly onInput?: (input: Uint8Array) => void;
  readonly onFinding: (finding: FuzzFailure) => void;
  readonly onProgress?: (run: FuzzRun) => void;
}

/** An input that takes longer is a finding: a peer or a client would hold the node up with it. */
export const slowMs = 1_000;
const maxFindings = 20;
/** The number of kept inputs of a target that climbs. */
const maxClimbers = 32;
const defaultMostBytes = 2_048;
const progressMs = 2_000;
/** Taking coverage costs milliseconds, so that many inputs share it; as many as take about this long. */
const batchMs = 200;
const maxBatch = 4_096;
/**
 * The first part of a run, in which coverage counts and the corpus grows. Counting makes everything several times
 * slower, and V8 throws away all that it has optimized when it begins; so it is done once, and the rest is fed at full
 * speed.
 */
const watchedShare = 0.2;

/** Feeds one target until its time or its number of inputs is over. */
export class FuzzRun {
  readonly #options: FuzzOptions;
  readonly #mutator: Mutator;
  readonly #known = new Set<string>();
  readonly corpus: Uint8Array[] = [];
  /** The results of the corpus's inputs, if the target climbs; the greatest first. */
  readonly #heights: number[] = [];
  inputs = 0;
  slowestMs = 0;
  #startedMs = performance.now();
  #reportedMs = performance.now();
  #batch = 16;

  constructor(options: FuzzOptions) {
    this.#options = options;
    const { numbers, target } = options;
    this.#mutator = new Mutator(numbers, target.words ?? [], target.maxBytes ?? defaultMostBytes);
  }

  /** The inputs that came to the most, where the target climbs. */
  best(count: number): readonly { readonly height: number; readonly shown: string }[] {
    const shown = (input: Uint8Array): string => this.#options.target.show(input);
    return this.#heights.slice(0, count).map((height, at) => ({ height, shown: shown(this.corpus[at]!) }));
  }

  get findings(): number {
    return this.#known.size;
  }

  get elapsedMs(): number {
    return performance.now() - this.#startedMs;
  }

  async run(): Promise<void> {
    this.#startedMs = performance.now();
    const { target, corpus } = this.#options;
    const coverage = target.climbs === undefined ? this.#options.coverage : undefined;
    if (coverage === undefined) this.#options.coverage?.pause();
    await this.#learn([...(target.seeds?.() ?? []), ...corpus]);
    while (coverage !== undefined && !this.#isOver(watchedShare)) {
      const batch = await this.#feedSome(watchedShare);
      const places = coverage.take();
      if (places.length > 0) await this.#keepNew(batch, places);
    }
    coverage?.pause();
    while (!this.#isOver(1)) await this.#feedSome(1);
  }

  async #feedSome(share: number): Promise<Uint8Array[]> {
    const count = Math.min(this.#batch, Math.ceil(this.#options.maxInputs * share) - this.inputs);
    const batch = Array.from({ length: count }, () => this.#mutator.next(this.corpus));
    const startMs = performance.now();
    for (const input of batch) await this.#feed(input);
    this.#adjustBatch(performance.now() - startMs);
    return batch;
  }

  /** @param share of the time and of the inputs */
  #isOver(share: number): boolean {
    const { maxInputs, maxMs } = this.#options;
    if (this.inputs >= maxInputs * share || this.elapsedMs >= maxMs * share) return true;
    return this.findings >= maxFindings;
  }

  /** Without coverage all are kept; with it those that reach something. */
  async #learn(inputs: readonly Uint8Array[]): Promise<void> {
    const { coverage, target } = this.#options;
    if (target.climbs !== undefined) {
      for (const input of inputs) await this.#feed(input);
      return;
    }
    coverage?.take();
    for (const input of inputs) {
      await this.#feed(input);
      if (coverage === undefined || coverage.take().length > 0) this.corpus.push(input);
    }
    if (this.corpus.length === 0) this.corpus.push(...inputs.slice(0, 1));
  }

  #adjustBatch(ms: number): void {
    if (ms < batchMs / 2) this.#batch = Math.min(maxBatch, this.#batch * 2);
    else if (ms > batchMs * 2) this.#batch = Math.max(1, this.#batch >> 1);
  }

  /**
   * Halves a batch until the inputs that reach new places are alone.
   *
   * @param places the places that the batch was the first to run
   */
  async #keepNew(batch: readonly Uint8Array[], places: readonly Place[]): Promise<void> {
    if (batch.length === 1) {
      this.corpus.push(batch[0]!);
      return;
    }
    const middle = batch.length >> 1;
    let left = places;
    for (const half of [batch.slice(0, middle), batch.slice(middle)]) {
      if (left.length === 0) return;
      for (const input of half) await this.#feed(input, false);
      const ran = this.#options.coverage!.ranOf(left);
      if (ran.length === 0) continue;
      await this.#keepNew(half, ran);
      left = left.filter((place) => !ran.includes(place));
    }
  }

  async #feed(input: Uint8Array, isCounted = true): Promise<void> {
    const { target, onInput, onProgress } = this.#options;
    onInput?.(input);
    const startMs = performance.now();
    try {
      const answer = target.run(input);
      if (answer !== undefined) await answer;
    } catch (error) {
      await this.#report(error, input);
    }
    const nowMs = performance.now();
    if (nowMs - startMs > slowMs) await this.#checkSlow(input);
    else this.slowestMs = Math.max(this.slowestMs, nowMs - startMs);
    this.#climb(input);
    if (isCounted) this.inputs += 1;
    if (nowMs - this.#reportedMs < progressMs) return;
    this.#reportedMs = nowMs;
    onProgress?.(this);
  }

  /** Keeps the inputs that come to the most, where the target climbs: what comes next is made of them. */
  #climb(input: Uint8Array): void {
    const score = this.#options.target.climbs?.();
    if (score === undefined) return;
    const below = this.#heights.findIndex((height) => height < score);
    if (below < 0 && this.#heights.length >= maxClimbers) return;
    const place = below < 0 ? this.#heights.length : below;
    this.#heights.splice(place, 0, score);
    this.corpus.splice(place, 0, input);
    this.#heights.length = Math.min(this.#heights.length, maxClimbers);
    this.corpus.length = this.#heights.length;
  }

  /** On a busy machine anything may be slow; so the processor's time counts, and the best of two. */
  async #checkSlow(input: Uint8Array): Promise<void> {
    let bestMs = Number.POSITIVE_INFINITY;
    for (let count = 0; count < 2; count += 1) {
      const start = process.cpuUsage();
      try {
        await this.#options.target.run(input);
      } catch {}
      const { user, system } = process.cpuUsage(start);
      bestMs = Math.min(bestMs, (user + system) / 1_000);
    }
    this.slowestMs = Math.max(this.slowestMs, bestMs);
    if (bestMs > slowMs) await this.#report(new Error(`slow: ${Math.round(bestMs)} ms for an input`), input);
  }

  async #report(error: unknown, input: Uint8Array): Promise<void> {
    const key = keyOf(error);
    if (this.#known.has(key)) return;
    this.#known.add(key);
    const smaller = await this.#shrunk(input, key);
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.#options.onFinding({ key, message, input: smaller, shown: this.#options.target.show(smaller) });
  }

  /** Leaves out pieces as long as the fault stays the same. */
  async #shrunk(input: Uint8Array, key: string): Promise<Uint8Array> {
    let best = input;
    let triesLeft = key.includes("slow:") ? 0 : 600;
    for (let size = best.length >> 1; size >= 1; size >>= 1) {
      for (let at = 0; at < best.length && triesLeft > 0; triesLeft -= 1) {
        const shorter = Uint8Array.from([...best.subarray(0, at), ...best.subarray(at + size)]);
        if ((await this.#keyOf(shorter)) === key) best = shorter;
        else at += size;
      }
    }
    return best;
  }

  async #keyOf(input: Uint8Array): Promise<string | undefined> {
    try {
      await this.#options.target.run(input);
      return undefined;
    } catch (error) {
      return keyOf(error);
    }
  }
}
