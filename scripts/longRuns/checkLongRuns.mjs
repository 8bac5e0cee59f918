// Whether each long test has passed since what it covers changed much.
import { Checkout } from "./Checkout.mjs";
import { coveredBy, longTests } from "./longTests.mjs";
import { readRecords } from "./records.mjs";

/** More commits than these leave a record of little worth. */
const maxCommits = 40;

/**
 * What there is to say, and whether it is well.
 *
 * @typedef {object} LongRunsCheck
 * @property {readonly string[]} lines
 * @property {boolean} isWell
 */

/**
 * Counts, for each long test file, the commits since its record that touch what it covers.
 *
 * @param {string} root of the checkout
 * @param {{ readonly isCi: boolean, readonly limit?: number }} options `isCi`: what cannot be checked is not well
 * @returns {LongRunsCheck}
 */
export function checkLongRuns(root, { isCi, limit = maxCommits }) {
  const checkout = new Checkout(root);
  if (!checkout.isThere) return { lines: ["long runs cannot be checked: there is no git repository"], isWell: !isCi };
  const records = readRecords(root);
  const tests = longTests(root);
  const lines = [];
  for (const test of tests) {
    const record = records[test];
    if (record === undefined) {
      lines.push(problem(test, "there is no record of it"));
      continue;
    }
    if (!checkout.has(record.commit)) {
      if (checkout.isShallow) {
        const lacks = `this shallow clone lacks ${record.commit}`;
        return { lines: [`long runs cannot be checked: ${lacks}`], isWell: !isCi };
      }
      lines.push(problem(test, `its record is of ${record.commit}, which is no commit of this repository`));
      continue;
    }
    const commits = checkout.commitsSince(record.commit, coveredBy(root, test));
    if (commits > limit)
      lines.push(problem(test, `${commits} commits have touched what it covers, more than ${limit}`));
  }
  if (lines.length > 0) return { lines, isWell: false };
  return {
    lines: [`long runs: ${tests.length} files, each with a record of at most ${limit} commits ago`],
    isWell: true,
  };
}

/**
 * @param {string} test
 * @param {string} what
 */
function problem(test, what) {
  return `${test}: ${what}; run it: npm run test:long -- ${test}`;
}
