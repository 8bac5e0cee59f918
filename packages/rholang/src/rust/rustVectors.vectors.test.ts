import { readFileSync } from "node:fs";
import { join } from "node:path";
import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { VectorChecks } from "../vectors/VectorChecks.js";
import { rustVectors } from "../vectors/VectorDialect.js";

const directory = recordedDirectory("vectors-r");
const skipped = directory === undefined ? " (skipped: no vectors here)" : "";

/** Answers of two runs of the newer node differ for these. */
function undetermined(): ReadonlySet<string> {
  return new Set(JSON.parse(readFileSync(join(directory!, "not-determined.json"), "utf8")) as string[]);
}

describe.skipIf(directory === undefined)(`programs of the newer node's networks${skipped}`, () => {
  test.each([
    ["20-rholang/parse.jsonl", 1713],
    ["20-rholang/parse-generated.jsonl", 1500],
    ["21-evaluation/eval.jsonl", 1303],
    ["21-evaluation/eval-generated.jsonl", 300],
    ["22-matching/match-generated.jsonl", 1996],
    ["30-tuplespace/state.jsonl", 52],
  ] as const)("%s: all rows are as recorded", { timeout: 120_000 }, (file, count) => {
    const checks = new VectorChecks(rustVectors, undetermined());
    const { checked, failed } = checks.file(file, readFileSync(join(directory!, file), "utf8"))!;
    expect(failed).toEqual([]);
    expect(checked).toBe(count);
  });
});
