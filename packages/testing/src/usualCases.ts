/** Says whether also those cases are tried that take minutes: `VEDETTE_TEST_CASES=all`, as the long tests have it. */
export function areAllCasesTried(): boolean {
  return process.env["VEDETTE_TEST_CASES"] === "all";
}

/**
 * Chooses of cases that take minutes each those that are tried: the last one, which is that of the newer dialect where
 * there is a choice, or all of them where {@link areAllCasesTried}.
 */
export function usualCases<Case>(cases: readonly Case[]): readonly Case[] {
  return areAllCasesTried() ? cases : cases.slice(-1);
}
