import { vectorPrograms } from "@vedette/testing";
import { expect, test } from "vitest";
import { programs, tokenTexts, trivia } from "../testing/commentedPrograms.js";
import { formatFault } from "../testing/formatFault.js";

test.each([
  ["rnode", "rnode"],
  ["f1r3node", "f1r3node"],
] as const)("every program in the vectors of %s is formatted without a change of its term", (set, dialect) => {
  const faults = [...vectorPrograms(set)]
    .map((term) => ({ term: term.slice(0, 500), fault: formatFault(term, dialect) }))
    .filter(({ fault }) => fault !== undefined);
  expect(faults).toEqual([]);
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
