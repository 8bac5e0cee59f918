/** One figure of the benchmarks. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** Collects figures and shows them as they come. */
export class Measurements {
  readonly all: Measurement[] = [];
  readonly skipped: string[] = [];
  readonly #print: (line: string) => void;

  constructor(print: (line: string) => void) {
    this.#print = print;
  }

  add(name: string, value: number, unit: string): void {
    this.all.push({ name, value, unit });
    this.#print(`${name.padEnd(64)} ${shortNumber(value).padStart(12)} ${unit}`);
  }

  /** Something to be seen beside the figures. */
  note(line: string): void {
    this.#print(`! ${line}`);
  }

  skip(what: string, reason: string): void {
    this.skipped.push(`${what}: ${reason}`);
    this.#print(`${what.padEnd(64)} ${"skipped".padStart(12)} (${reason})`);
  }

  /** Best of several rounds of `milliseconds`, after one that warms up: others share the machine. */
  rate(name: string, unit: string, work: () => number, milliseconds = 400): void {
    round(work, milliseconds);
    let best = 0;
    for (let i = 0; i < 3; i += 1) best = Math.max(best, round(work, milliseconds));
    this.add(name, best, unit);
  }
}

/** Repeats `work`, which returns the amount done, and returns the amount per second. */
function round(work: () => number, milliseconds: number): number {
  const start = performance.now();
  let done = 0;
  let spent = 0;
  while (spent < milliseconds) {
    done += work();
    spent = performance.now() - start;
  }
  return (done / spent) * 1000;
}

function shortNumber(value: number): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4;
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A quantile of times, by the nearest rank. */
export function quantile(times: readonly number[], share: number): number {
  const sorted = times.slice().sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
