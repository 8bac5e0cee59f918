import { readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import { rustTerms } from "@vedette/terms";
import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { InterpreterError } from "../InterpreterError.js";
import { rustGrammar } from "./rustGrammar.js";

interface ParseVector {
  readonly id: string;
  readonly term: string;
  readonly expect: {
    readonly bytes?: string;
    readonly channelHash?: string;
    readonly fatal?: boolean;
    readonly error?: { readonly class: string; readonly message?: string };
  };
}

const vectors = recordedDirectory("vectors-r");
const skipped = vectors === undefined ? " (skipped: no vectors here)" : "";

function outcome({ term, expect: expected }: ParseVector): ParseVector["expect"] {
  try {
    const par = rustGrammar.compile(term);
    const channelHash = toHex(rustTerms.channelHash(par));
    return expected.bytes === undefined ? { channelHash } : { bytes: toHex(rustTerms.encodePar(par)), channelHash };
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    return { error: compared({ class: error.failure.class, message: error.message }) };
  }
}

function wanted({ expect: { bytes, channelHash, fatal, error } }: ParseVector): ParseVector["expect"] {
  if (fatal === true) return { error: { class: "ParserError" } };
  if (error !== undefined) return { error: compared(error) };
  return bytes === undefined ? { channelHash: channelHash! } : { bytes, channelHash: channelHash! };
}

/** Texts of what is no program come from the reference's parser generator; the class alone is compared. */
function compared(error: {
  readonly class: string;
  readonly message?: string;
}): NonNullable<ParseVector["expect"]["error"]> {
  if (error.class === "ParserError" || error.message === undefined) return { class: error.class };
  return error;
}

describe.skipIf(vectors === undefined)(`the newer node's compiler${skipped}`, () => {
  test.each([
    ["parse.jsonl", 1713],
    ["parse-generated.jsonl", 1500],
  ] as const)("answers as recorded in %s", (file, count) => {
    const differences: unknown[] = [];
    let checked = 0;
    for (const line of readFileSync(join(vectors!, "20-rholang", file), "utf8")
      .trim()
      .split("\n")) {
      const vector = JSON.parse(line) as ParseVector;
      checked += 1;
      const actual = outcome(vector);
      const expected = wanted(vector);
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        differences.push({ id: vector.id, term: vector.term, expected, actual });
    }
    expect(differences).toEqual([]);
    expect(checked).toBe(count);
  });
});
