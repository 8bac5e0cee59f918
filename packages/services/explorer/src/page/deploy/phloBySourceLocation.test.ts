import { expect, test } from "vitest";
import { phloBySourceLocation, type StepSource } from "./phloBySourceLocation.js";

test("steps are counted by their place, the dearest first", () => {
  const at = (line: number): StepSource => ({ kind: "program", line, column: 3 });
  const steps = [
    { source: at(1), phlo: 5n },
    { source: at(2), phlo: 11n },
    { source: at(1), phlo: 7n },
    { source: { kind: "system", line: null, column: null }, phlo: -2n } as const,
  ];
  expect(phloBySourceLocation(steps)).toEqual([
    { place: "1:3", steps: 2, phlo: 12n },
    { place: "2:3", steps: 1, phlo: 11n },
    { place: "built-in", steps: 1, phlo: -2n },
  ]);
});
