// A reporter of vitest that has long test files recorded, each at its end.
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { LongRunBook } from "./LongRunBook.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Records in the book of each file how it ended. */
// biome-ignore lint/style/noDefaultExport: vitest imports reporters by their path, as defaults.
export default class LongRunReporter {
  #book = new LongRunBook(root, process.env);

  /** @param {import("vitest/node").TestModule} module */
  onTestModuleEnd(module) {
    const states = [...module.children.allTests()].map((test) => test.result().state);
    const seconds = module.diagnostic().duration / 1_000;
    console.log(this.#book.note(relative(root, module.moduleId), { hasPassed: module.ok(), states, seconds }));
  }
}
