/** A value at a time. */
export interface Point {
  readonly atMs: number;
  readonly value: number;
}

const hourMs = 3_600_000;

/**
 * How a value grows in an hour: the least of each window, and of those the median of the slopes between any two
 * (Theil and Sen), so that neither what is taken for a moment nor a single jump decides.
 *
 * @returns units of the value an hour; `undefined` for fewer than three windows
 * @cost the square of the number of windows
 */
export function slopePerHour(points: readonly Point[], windowMs: number): number | undefined {
  const least = minOfWindows(points, windowMs);
  if (least.length < 3) return undefined;
  const slopes = least.flatMap((one, at) =>
    least.slice(at + 1).map((other) => ((other.value - one.value) / (other.atMs - one.atMs)) * hourMs),
  );
  slopes.sort((left, right) => left - right);
  const middle = slopes.length >> 1;
  return slopes.length % 2 === 1 ? slopes[middle]! : (slopes[middle - 1]! + slopes[middle]!) / 2;
}

/** The time of each is the middle of its window; a last window that is not full is left out. */
function minOfWindows(points: readonly Point[], windowMs: number): Point[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const count = Math.floor((last.atMs - first.atMs) / windowMs);
  return Array.from({ length: count }, (_, at) => {
    const fromMs = first.atMs + at * windowMs;
    const values = points.filter(({ atMs }) => atMs >= fromMs && atMs < fromMs + windowMs).map(({ value }) => value);
    return { atMs: fromMs + windowMs / 2, value: Math.min(...values) };
  }).filter(({ value }) => Number.isFinite(value));
}
