import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { runs, usualCases, vectorPrograms } from "@vedette/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { programs, tokenTexts, trivia } from "../testing/commentedPrograms.js";
import { formatFault } from "../testing/formatFault.js";

const contracts = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "..", "..", "contracts");
const sources = readdirSync(contracts).filter((name) => name.endsWith(".rho"));

describe("what is formatted keeps its term and its comments, and is not formatted again", () => {
  test.each(sources)("%s", (file) => {
    expect(formatFault(readFileSync(join(contracts, file), "utf8"))).toBeUndefined();
  });

  test.each([
    ["rnode", "rnode"],
    ["f1r3node", "f1r3node"],
  ] as const)("programs of up to 60 characters in the vectors of %s", (set, dialect) => {
    const all = [...vectorPrograms(set)].filter(({ length }) => length <= 60);
    expect(all.length).toBeGreaterThan(500);
    const short = usualCases(all, 150);
    const faults = short
      .map((term) => ({ term, fault: formatFault(term, dialect) }))
      .filter(({ fault }) => fault !== undefined);
    expect(faults).toEqual([]);
  });

  test("programs with comments and line breaks between any two tokens", () => {
    const written = fc.constantFrom(...programs).chain((program) => {
      const tokens = tokenTexts(program);
      return fc
        .array(fc.constantFrom(" ", " ", "\n", ...trivia), { minLength: tokens.length, maxLength: tokens.length })
        .map((between) => ({
          dialect: program.dialect,
          source: tokens.map((token, index) => between[index]! + token).join(""),
        }));
    });
    fc.assert(
      fc.property(written, ({ dialect, source }) => {
        expect(formatFault(source, dialect)).toBeUndefined();
      }),
      { numRuns: runs(60, 600) },
    );
  });
});
