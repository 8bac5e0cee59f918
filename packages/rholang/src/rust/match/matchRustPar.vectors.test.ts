import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fromHex, toHex } from "@vedette/crypto";
import { rustTerms } from "@vedette/terms";
import { recordedDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { matchRustPar } from "./matchRustPar.js";

interface MatchVector {
  readonly id: string;
  readonly targetBytes: string;
  readonly patternBytes: string;
  readonly expect: { readonly bindings: Readonly<Record<string, string>> | null };
}

const vectors = recordedDirectory("vectors-r");
const skipped = vectors === undefined ? " (skipped: no vectors here)" : "";

function bindingsOf({ targetBytes, patternBytes }: MatchVector): MatchVector["expect"]["bindings"] {
  const captures = matchRustPar(rustTerms.decodePar(fromHex(targetBytes)), rustTerms.decodePar(fromHex(patternBytes)));
  if (captures === undefined) return null;
  const bindings = [...captures].map(([level, value]) => [level, toHex(rustTerms.encodePar(value))]);
  return Object.fromEntries(bindings) as Record<string, string>;
}

describe.skipIf(vectors === undefined)(`the newer node's matcher${skipped}`, () => {
  test("answers as recorded", () => {
    const lines = readFileSync(join(vectors!, "22-matching/match-generated.jsonl"), "utf8").trim().split("\n");
    const differences: unknown[] = [];
    for (const line of lines) {
      const vector = JSON.parse(line) as MatchVector;
      const actual = bindingsOf(vector);
      const {
        id,
        expect: { bindings },
      } = vector;
      if (JSON.stringify(actual) !== JSON.stringify(bindings)) differences.push({ id, bindings, actual });
    }
    expect(differences).toEqual([]);
    expect(lines).toHaveLength(1996);
  });
});
