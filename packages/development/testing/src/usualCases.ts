/** Returns whether long cases are also tried: `VEDETTE_TEST_CASES=all`, as the long tests set it. */
export function areAllCasesTried(): boolean {
  return process.env["VEDETTE_TEST_CASES"] === "all";
}

/**
 * Chooses, among cases that take long, those that are tried: the last one, which is that of f1r3node if there is a
 * choice, or `count` at equal distances, or all of them if {@link areAllCasesTried}.
 */
export function usualCases<Case>(cases: readonly Case[], count = 1): readonly Case[] {
  if (areAllCasesTried() || count >= cases.length) return cases;
  return Array.from({ length: count }, (_, at) => cases[Math.ceil(((at + 1) * cases.length) / count) - 1]!);
}

/**
 * Chooses how often a property is tried, or how many inputs are: as often as finds a broken rule, or `all` where
 * {@link areAllCasesTried}. `manyRuns.long.test.ts` runs the files that use it with all.
 */
export function runs(usual: number, all: number): number {
  return areAllCasesTried() ? all : usual;
}
