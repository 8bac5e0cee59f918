import { expect, test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

test.each([
  // A proof is enough.
  { judgeBy: "evidence", further: 0, slashes: true },
  // Nodes of the reference may hold both sides for valid, and end at a slash; so by default nobody begins (40 §17.5).
  { judgeBy: "arrival", further: 2, slashes: false },
] as const)(
  "judged by $judgeBy, a validator whose data was put back to an older copy equivocates; the others go on, and slash it ($slashes)",
  async (options) => {
    expect.hasAssertions();
    await expectEquivocatorDealtWith(options);
  },
);
