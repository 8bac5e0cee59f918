import type uPlot from "uplot";

/** Steps that an axis has at least: a young chain has few values, or one. */
const minSteps = 12;

interface Ends {
  /** Not there where there is no value. */
  readonly first: number | null;
  readonly last: number | null;
}

/**
 * Returns the range of an axis of heights or times. A few values are at its right end, like the newest ones.
 *
 * @param step   between two values
 * @param isWide whether a value takes the width of its step
 */
export function spanOf({ first, last }: Ends, step: number, isWide: boolean): [number, number] {
  const end = last ?? 0;
  const start = Math.min(first ?? end, end - minSteps * step);
  // There is nothing below height 0.
  const from = (first ?? 0) >= 0 && start < 0 ? 0 : start;
  const margin = isWide ? step / 2 : 0;
  return [from - margin, Math.max(end, from + minSteps * step) + margin];
}

/** The values that no line reaches: both neighbours are missing. */
export const lonePoints: uPlot.Series.Points.Filter = (plot, series) => {
  const values = Array.from(plot.data[series] ?? []);
  const isLone = (at: number) => values[at] != null && values[at - 1] == null && values[at + 1] == null;
  return values.flatMap((_value, at) => (isLone(at) ? [at] : []));
};
