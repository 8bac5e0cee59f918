import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { toHex } from "@vedette/crypto";
import { channelHash, encodePar } from "@vedette/terms";
import { vectorsDirectories } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { compile } from "./compile.js";
import { InterpreterError } from "./InterpreterError.js";

interface ParseVector {
  readonly id: string;
  readonly term: string;
  readonly expect: {
    readonly bytes?: string;
    readonly hash?: string;
    readonly error?: { readonly class: string; readonly message?: string };
  };
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    /(^|\/)parse[^/]*\.jsonl$/.test(name),
  );
}

function outcome(term: string): ParseVector["expect"] {
  try {
    const par = compile(term);
    return { bytes: toHex(encodePar(par)), hash: toHex(channelHash(par)) };
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    return { error: { class: error.failure.class, message: error.message } };
  }
}

/** Only what the vector states is compared: errors without a text are known by their class alone. */
function sameParts(actual: ParseVector["expect"], expected: ParseVector["expect"]): ParseVector["expect"] {
  if (actual.error === undefined) return { bytes: actual.bytes!, hash: actual.hash! };
  return expected.error?.message === undefined ? { error: { class: actual.error.class } } : { error: actual.error };
}

describe("programs compile to the terms of the vectors", () => {
  test.each(vectorsDirectories())("vectors in %s", (directory) => {
    const differences: unknown[] = [];
    for (const file of filesOf(directory))
      for (const line of readFileSync(join(directory, file), "utf8").split("\n")) {
        if (line === "") continue;
        const { id, term, expect: expected } = JSON.parse(line) as ParseVector;
        const { bytes, hash, error } = expected;
        const wanted = error === undefined ? { bytes, hash } : { error };
        const actual = sameParts(outcome(term), expected);
        if (JSON.stringify(actual) !== JSON.stringify(wanted)) differences.push({ file, id, term, wanted, actual });
      }
    expect(differences).toEqual([]);
  });
});
