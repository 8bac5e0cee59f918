import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { vectorsDirectories } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { VectorChecks, vectorKindOf } from "./VectorChecks.js";
import { scalaVectors } from "./VectorDialect.js";

const checks = new VectorChecks(scalaVectors);

const files = vectorsDirectories().flatMap((directory) =>
  readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => vectorKindOf(name) !== undefined)
    .map((name) => join(directory, name)),
);

describe("golden vectors", () => {
  test.each(files)("%s are answered as they say", (path) => {
    const result = checks.file(path, readFileSync(path, "utf8"));
    expect(result!.failed).toEqual([]);
    expect(result!.checked).toBeGreaterThan(0);
  });
});

describe("a vector with a wrong answer", () => {
  test("in its cost is told with both costs and the charges", () => {
    const vector = { id: "wrong", term: "@0!(2)", limit: 10000, expect: { cost: 98, errors: [], mergeable: [] } };
    const { failed } = checks.file("eval.jsonl", JSON.stringify(vector))!;
    expect(failed).toEqual([
      {
        id: "wrong",
        differences: ["play: cost: expected 98, ours 97 (-1 more)", "play: charges: 6 11 4 4 8 64"],
      },
    ]);
  });

  test("in its error is told with both", () => {
    const vector = { id: "wrong", term: "@0!(1 + true)", limit: 10000, expect: { cost: 10000, errors: [] } };
    const { failed } = checks.file("eval.jsonl", JSON.stringify(vector))!;
    expect(failed[0]!.differences).toEqual([
      "play: errors: expected ; ours OperatorExpectedError: Error: Operator `+` is not defined on Bool.",
    ]);
  });

  test("in its event log is told with what the send was", () => {
    const log = [`0a460a20${"11".repeat(32)}1220${"22".repeat(32)}2801`];
    const vector = { id: "wrong", term: "@0!(2)", limit: 10000, expect: { cost: 97, root: "00", errors: [], log } };
    const { failed } = checks.file("eval.jsonl", JSON.stringify(vector))!;
    expect(failed[0]!.differences.join("\n")).toContain("play: only ours: send    @{0}!(2)");
    expect(failed[0]!.differences.join("\n")).toContain(`play: only the reference: produce ${"22".repeat(32)}`);
  });

  test("that cannot be read is a failure, not a crash", () => {
    expect(checks.file("eval.jsonl", "{")!.failed[0]!.id).toBe("line 1");
    expect(checks.file("match.jsonl", '{"id":"x","targetBytes":"zz"}')!.failed[0]!.id).toBe("x");
  });
});

test("a file of something else is not taken for vectors", () => {
  expect(checks.file("blocks.jsonl", "{}")).toBeUndefined();
});
