// A reporter of vitest that notes which long test files have passed, each at its end.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { Checkout } from "./Checkout.mjs";
import { recordsPath, writeRecord } from "./records.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** Variables that make long tests longer or shorter: a record is of the usual size. */
const sizes = /^VEDETTE_LONG_/;

/** Writes a record for each file all of whose tests have passed, or says why there is none. */
// biome-ignore lint/style/noDefaultExport: vitest imports reporters by their path, as defaults.
export default class LongRunReporter {
  #checkout = new Checkout(root);
  /** Why nothing is recorded; `undefined` where something is. */
  #reason = this.#whyNoRecord();
  #head = this.#reason === undefined ? this.#checkout.head : undefined;

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const test = relative(root, module.moduleId);
    const reason = this.#reason ?? this.#whyNoRecord() ?? whyNot(module);
    if (reason !== undefined) {
      console.log(`no record of ${test}: ${reason}`);
      return;
    }
    writeRecord(root, test, {
      commit: /** @type {string} */ (this.#head),
      date: new Date().toISOString().slice(0, 19).concat("Z"),
      seconds: Math.round(secondsOf(module)),
      tests: [...module.children.allTests()].length,
      node: process.version,
    });
    console.log(`recorded in ${recordsPath}: ${test}`);
  }

  /** @returns {string | undefined} */
  #whyNoRecord() {
    const set = Object.keys(process.env).filter((name) => sizes.test(name));
    if (set.length > 0) return `its size is another one, by ${set.join(", ")}`;
    if (!this.#checkout.isThere) return "there is no git repository";
    const changed = this.#checkout.changedFiles([recordsPath]);
    if (changed.length > 0) return `the checkout is not clean: ${changed.slice(0, 3).join(", ")}`;
    if (this.#head !== undefined && this.#checkout.head !== this.#head)
      return "another commit was checked out meanwhile";
    return undefined;
  }
}

/**
 * @param {import("vitest/node").TestModule} module
 * @returns {string | undefined}
 */
function whyNot(module) {
  if (!module.ok()) return "it has failed";
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const others = states.filter((state) => state !== "passed").length;
  if (states.length === 0) return "it has no tests";
  return others > 0 ? `${others} of its ${states.length} tests were left out` : undefined;
}

/**
 * Its tests and hooks.
 *
 * @param {import("vitest/node").TestModule} module
 */
function secondsOf(module) {
  return module.diagnostic().duration / 1_000;
}
