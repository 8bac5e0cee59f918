import { recordedDirectory, vectorsDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { programs, tokenTexts, trivia } from "../testing/commentedPrograms.js";
import { formatFault } from "../testing/formatFault.js";
import { recordedPrograms } from "../testing/recordedPrograms.js";

const recorded = { "rnode-scala": vectorsDirectory(), "rnode-rust": recordedDirectory("vectors-r") } as const;

describe.each(["rnode-scala", "rnode-rust"] as const)("of %s", (dialect) => {
  const directory = recorded[dialect];
  const absent = directory === undefined ? " (skipped: ../shared is not there)" : "";

  test.skipIf(directory === undefined)(
    `every recorded program is formatted without a change of its term${absent}`,
    () => {
      const faults = [...recordedPrograms(directory!)]
        .map((term) => ({ term: term.slice(0, 500), fault: formatFault(term, dialect) }))
        .filter(({ fault }) => fault !== undefined);
      expect(faults).toEqual([]);
    },
  );
});

test.each(programs)("comments at any two neighbouring places of $source", (program) => {
  const tokens = tokenTexts(program);
  const written = (between: ReadonlyMap<number, string>) =>
    tokens.map((token, index) => (between.get(index) ?? " ") + token).join("");
  for (let first = 0; first < tokens.length; first += 1)
    for (const one of trivia)
      for (const second of [first + 1, first + 2])
        for (const other of trivia) {
          const source = written(
            new Map([
              [first, one],
              [second, other],
            ]),
          );
          expect(formatFault(source, program.dialect), source).toBeUndefined();
        }
});
