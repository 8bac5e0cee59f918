// Covers: chain, node
import { expect, test } from "vitest";
import { type EquivocatorOptions, expectEquivocatorSlashed } from "./expectEquivocatorSlashed.js";

const cases: readonly (readonly [what: string, options: EquivocatorOptions])[] = [
  // A proof is enough.
  ["judged by evidence: the others go on, and slash it", { judgeBy: "evidence", further: 0, slashes: true }],
  // rnode nodes may hold both sides for valid and stop at a slash, so by default no validator slashes first (40 §17.5).
  ["judged by arrival: the others go on, and do not slash it", { judgeBy: "arrival", further: 2, slashes: false }],
  // Only an invalid block that is the latest of its validator is a reason to slash (40 §9.6), and it is recorded only
  // where a later one waits for it (40 §5.9).
  [
    "judged by arrival: the others go on, and slash it where they begin",
    { judgeBy: "arrival", further: 2, slashes: true },
  ],
  [
    "judged by f1r3node: the others go on, and slash it",
    { judgeBy: "arrival", dialect: "f1r3node", further: 2, slashes: true },
  ],
];

test.each(cases)("a validator with an older copy of its data equivocates, %s", async (_, options) => {
  expect.hasAssertions();
  await expectEquivocatorSlashed(options);
});
