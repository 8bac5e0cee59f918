/** The middle of several measurements of one ratio. */
export interface SampledRatio {
  readonly median: number;
  /** By which the median may differ from the true ratio, in about one of twenty cases by more. */
  readonly error: number;
  readonly count: number;
}

/** Fewer measurements show nothing about the error. */
const minCount = 5;
/** The standard deviation of a normal distribution, in its median deviation. */
const deviations = 1.4826;
/** Two standard errors of a median, in the standard deviation of one measurement. */
const errors = 2 * 1.2533;

/**
 * Returns the median of ratios and its error, both by ranks: a measurement beside which something else ran on the
 * machine counts no more than another one.
 */
export function sampledRatio(ratios: readonly number[]): SampledRatio {
  const count = ratios.length;
  const median = medianOf(ratios);
  if (count < minCount) return { median, error: Number.POSITIVE_INFINITY, count };
  const deviation = deviations * medianOf(ratios.map((ratio) => Math.abs(ratio - median)));
  return { median, error: (errors * deviation) / Math.sqrt(count), count };
}

function medianOf(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
