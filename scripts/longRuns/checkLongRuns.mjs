// Whether each long test has passed since what it covers changed much.
import { Checkout } from "./Checkout.mjs";
import { coveredBy, longTests } from "./longTests.mjs";
import { readRecords } from "./records.mjs";

/** More commits than these leave a record of little worth. */
const maxCommits = 40;

/**
 * The lines of the check, and whether it passed.
 *
 * @typedef {object} LongRunsCheck
 * @property {readonly string[]} lines
 * @property {boolean} isWell
 */

/**
 * Counts, for each long test file, the commits since its record that touch what it covers. Where the history is missing
 * (an archive, a shallow clone) nothing can be counted: a line reports that, and the check passes.
 *
 * @param {string} root of the checkout
 * @param {number} [limit] commits that leave a record valid
 * @returns {LongRunsCheck}
 */
export function checkLongRuns(root, limit = maxCommits) {
  const checkout = new Checkout(root);
  if (!checkout.isThere) return unchecked("there is no git repository");
  const records = readRecords(root);
  const commits = Object.values(records).map((record) => record.commit);
  const lost = commits.filter((commit) => !checkout.has(commit));
  if (lost.length > 0 && (checkout.isShallow || lost.length === commits.length))
    return unchecked(`the history lacks ${lost[0]}`);
  const tests = longTests(root);
  const lines = problemsOf(tests, { checkout, records, limit }).map(
    ({ test, what }) => `${test}: ${what}; run it: npm run test:long -- ${test}`,
  );
  if (lines.length > 0) return { lines, isWell: false };
  return {
    lines: [`long runs: ${tests.length} files, each with a record of at most ${limit} commits ago`],
    isWell: true,
  };
}

/**
 * Returns the long test files that should be run now: those that the check finds fault with, and those that have used up
 * half of their commits.
 *
 * @param {string} root of a checkout with its history
 * @returns {string[]} paths below it, sorted
 */
export function dueLongRuns(root) {
  const state = { checkout: new Checkout(root), records: readRecords(root), limit: maxCommits / 2 };
  return problemsOf(longTests(root), state).map(({ test }) => test);
}

/**
 * @param {readonly string[]} tests
 * @param {{ checkout: Checkout, records: ReturnType<typeof readRecords>, limit: number }} state
 * @returns {{ test: string, what: string }[]}
 */
function problemsOf(tests, { checkout, records, limit }) {
  return tests.flatMap((test) => {
    const what = problemOf(test);
    return what === undefined ? [] : [{ test, what }];
  });

  /** @param {string} test */
  function problemOf(test) {
    const record = records[test];
    if (record === undefined) return "there is no record of it";
    if (!checkout.has(record.commit)) return `its record is of ${record.commit}, which is no commit of this repository`;
    const commits = checkout.commitsSince(record.commit, coveredBy(checkout.root, test));
    return commits > limit ? `${commits} commits have touched what it covers, more than ${limit}` : undefined;
  }
}

/**
 * @param {string} why
 * @returns {LongRunsCheck}
 */
function unchecked(why) {
  return { lines: [`long runs cannot be checked: ${why}`], isWell: true };
}
