// The records of long tests that have passed.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A run of a long test file that passed.
 *
 * @typedef {object} LongRun
 * @property {string} commit that was checked out, with nothing changed
 * @property {string} date of its end
 * @property {number} seconds that it took
 * @property {number} tests that passed, none left out
 * @property {string} node version
 */

/** Below the root of the checkout. */
export const recordsPath = "docs/long-runs.json";

/**
 * @param {string} root of the checkout
 * @returns {Record<string, LongRun>} by the paths of test files
 */
export function readRecords(root) {
  const path = join(root, recordsPath);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
}

/**
 * Writes the record of a test file, beside those of the others that are still there.
 *
 * @param {string} root of the checkout
 * @param {string} test path of the file below it
 * @param {LongRun} run
 */
export function writeRecord(root, test, run) {
  const kept = Object.entries({ ...readRecords(root), [test]: run })
    .filter(([path]) => existsSync(join(root, path)))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(join(root, recordsPath), `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`);
}
