import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { VectorSuite } from "./VectorSuite.js";

/** Counts that the end of a test run adds up. */
interface VectorCounts {
  readonly set: string;
  readonly checked: number;
  readonly passed: number;
  readonly knownFailures: number;
}

declare module "vitest" {
  interface TaskMeta {
    vectors?: VectorCounts;
  }
}

const folder = fileURLToPath(new URL("../../../../../vectors", import.meta.url));
const suite = new VectorSuite(folder);

describe("answers of running rnode and f1r3node nodes are this build's", () => {
  test("their files match the checksums", () => {
    expect(suite.damagedFiles).toEqual([]);
  });

  test.for(suite.files.map((file) => relative(folder, file)))("%s", (name, { task }) => {
    const { failed, checked, passed, knownFailures } = suite.check(join(folder, name));
    expect(failed).toEqual([]);
    expect(checked).toBeGreaterThan(0);
    const set = basename(dirname(dirname(name)));
    task.meta.vectors = { set, checked, passed, knownFailures: knownFailures.length };
  });
});
