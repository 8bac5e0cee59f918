// Covers: execution, rholang
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const vedette = fileURLToPath(new URL("../../bin/vedette.js", import.meta.url));
const tests = fileURLToPath(new URL("../../../../../contracts/tests", import.meta.url));

test("vedette test runs the tests of all ten system contracts", () => {
  const given = { encoding: "utf8", maxBuffer: 64 << 20 } as const;
  const { status, stdout } = spawnSync(process.execPath, [vedette, "test", tests, "--json"], given);
  const { passed, failed, results } = JSON.parse(stdout) as {
    readonly passed: number;
    readonly failed: number;
    readonly results: readonly { readonly passed: boolean; readonly name: string }[];
  };
  expect(results.filter((one) => !one.passed)).toEqual([]);
  expect([status, failed]).toEqual([0, 0]);
  expect(passed).toBeGreaterThan(480);
});
