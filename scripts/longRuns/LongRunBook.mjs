// Which runs of long tests are recorded.
import { Checkout } from "./Checkout.mjs";
import { recordsPath, writeRecord } from "./records.mjs";

/** Variables that make long tests longer or shorter: a record is of the usual size. */
const sizes = /^VEDETTE_LONG_/;

/**
 * How a test file ended.
 *
 * @typedef {object} FileEnd
 * @property {boolean} hasPassed whether neither a test nor a hook has failed
 * @property {readonly string[]} states of its tests: `passed`, `failed` or `skipped`
 * @property {number} seconds that it took
 */

/** Records test files that pass on a checkout on which nothing is changed, from its beginning to its end. */
export class LongRunBook {
  #checkout;
  #environment;
  #root;
  /** The commit at the beginning; `undefined` if nothing can be recorded. */
  #head;

  /**
   * @param {string} root of the checkout
   * @param {Readonly<Record<string, string | undefined>>} environment
   */
  constructor(root, environment) {
    this.#root = root;
    this.#environment = environment;
    this.#checkout = new Checkout(root);
    if (this.#whyNoRecord() === undefined) this.#head = this.#checkout.head;
  }

  /**
   * Records a test file, if it may be.
   *
   * @param {string} test its path below the root
   * @param {FileEnd} end
   * @returns {string} a line with the recorded test, or why nothing was recorded
   */
  note(test, { hasPassed, states, seconds }) {
    const reason = this.#whyNoRecord() ?? this.#whyNotOf(hasPassed, states);
    if (reason !== undefined) return `no record of ${test}: ${reason}`;
    writeRecord(this.#root, test, {
      commit: /** @type {string} */ (this.#head),
      date: `${new Date().toISOString().slice(0, 19)}Z`,
      seconds: Math.round(seconds),
      tests: states.length,
      node: process.version,
    });
    return `recorded in ${recordsPath}: ${test}`;
  }

  /** @returns {string | undefined} */
  #whyNoRecord() {
    const set = Object.keys(this.#environment).filter((name) => sizes.test(name));
    if (set.length > 0) return `its size is set by ${set.join(", ")}`;
    if (!this.#checkout.isThere) return "there is no git repository";
    const changed = this.#checkout.changedFiles([recordsPath]);
    return changed.length > 0 ? `the checkout is not clean: ${changed.slice(0, 3).join(", ")}` : undefined;
  }

  /**
   * @param {boolean} hasPassed
   * @param {readonly string[]} states
   * @returns {string | undefined}
   */
  #whyNotOf(hasPassed, states) {
    if (this.#head === undefined) return "the checkout was not clean when it began";
    if (this.#head !== this.#checkout.head) return "another commit was checked out meanwhile";
    if (!hasPassed) return "it has failed";
    const others = states.filter((state) => state !== "passed").length;
    if (states.length === 0) return "it has no tests";
    return others > 0 ? `${others} of its ${states.length} tests were left out` : undefined;
  }
}
