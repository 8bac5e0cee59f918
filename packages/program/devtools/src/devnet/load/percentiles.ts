/** Percentiles of a list of times. */
export interface Percentiles {
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly maxMs: number;
}

/** @returns `undefined` where there are no times */
export function percentilesOf(timesMs: readonly number[]): Percentiles | undefined {
  if (timesMs.length === 0) return undefined;
  const sorted = [...timesMs].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
  return { count: sorted.length, p50Ms: at(0.5), p95Ms: at(0.95), maxMs: sorted.at(-1)! };
}
