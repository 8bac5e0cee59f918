/**
 * Chooses of cases that take minutes each those that are tried: the last one, which is that of the newer dialect where
 * there is a choice; with `VEDETTE_TEST_CASES=all`, as the long tests have it, all of them.
 */
export function usualCases<Case>(cases: readonly Case[]): readonly Case[] {
  return process.env["VEDETTE_TEST_CASES"] === "all" ? cases : cases.slice(-1);
}
