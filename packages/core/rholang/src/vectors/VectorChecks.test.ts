import { describe, expect, test } from "vitest";
import { VectorChecks, type VectorKind, vectorKindOf } from "./VectorChecks.js";
import { rnodeVectors } from "./VectorDialect.js";

const checks = new VectorChecks(rnodeVectors);

describe("a vector with a wrong answer", () => {
  test("in its cost is reported with both costs and the charges", () => {
    const vector = { id: "wrong", term: "@0!(2)", limit: 10000, expect: { cost: 98, errors: [], mergeable: [] } };
    const failed = [...checks.lines("eval", JSON.stringify(vector))];
    expect(failed).toEqual([
      {
        id: "wrong",
        differences: ["play: cost: expected 98, ours 97 (-1 more)", "play: charges: 6 11 4 4 8 64"],
      },
    ]);
  });

  test("in its error is reported with both", () => {
    const vector = { id: "wrong", term: "@0!(1 + true)", limit: 10000, expect: { cost: 10000, errors: [] } };
    const failed = [...checks.lines("eval", JSON.stringify(vector))];
    expect(failed[0]!.differences).toEqual([
      "play: errors: expected ; ours OperatorExpectedError: Error: Operator `+` is not defined on Bool.",
    ]);
  });

  test("in its event log is reported with what the send was", () => {
    const log = [`0a460a20${"11".repeat(32)}1220${"22".repeat(32)}2801`];
    const vector = { id: "wrong", term: "@0!(2)", limit: 10000, expect: { cost: 97, root: "00", errors: [], log } };
    const failed = [...checks.lines("eval", JSON.stringify(vector))];
    expect(failed[0]!.differences.join("\n")).toContain("play: only ours: send    @{0}!(2)");
    expect(failed[0]!.differences.join("\n")).toContain(`play: only rnode: produce ${"22".repeat(32)}`);
  });

  test("that cannot be read is a failure, not a crash", () => {
    const id = (kind: VectorKind, line: string) => [...checks.lines(kind, line)][0]!.id;
    expect(id("eval", "{")).toBe("line 1");
    expect(id("match", '{"id":"x","targetBytes":"zz"}')).toBe("x");
  });
});

test("a file of something else is not taken for vectors", () => {
  expect(vectorKindOf("blocks.jsonl")).toBeUndefined();
  expect(vectorKindOf("a/parse-cut.jsonl.gz")).toBe("parse");
});
