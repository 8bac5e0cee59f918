/** Counts work that costs no phlo, and throws when the limit is reached. */
interface Meter {
  tick(units: number): void;
}

let meter: Meter | undefined;

/** Counts work on large terms, such as comparing them while sorting, against a bound. @throws the meter's error */
export function countWork(units: number): void {
  meter?.tick(units);
}

/** Runs something while a meter counts its work; it must not await anything. */
export function countingWork<T>(by: Meter | undefined, run: () => T): T {
  const before = meter;
  meter = by;
  try {
    return run();
  } finally {
    meter = before;
  }
}

/** A comparison that is counted. */
export function counted<T>(compare: (left: T, right: T) => number): (left: T, right: T) => number {
  return (left, right) => {
    countWork(comparisonUnits);
    return compare(left, right);
  };
}

/** Most comparisons end soon, but take longer than the test of one element in a match, which is the unit. */
const comparisonUnits = 8;
