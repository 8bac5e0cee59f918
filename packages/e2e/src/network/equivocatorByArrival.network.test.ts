import { expect, test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

test("judged by arrival, a validator whose data was put back to an older copy equivocates; the others go on, and do not slash it", async () => {
  expect.hasAssertions();
  // Nodes of the reference may hold both sides for valid, and end at a slash; so by default nobody begins (40 §17.5).
  await expectEquivocatorDealtWith({ judgeBy: "arrival", further: 2, slashes: false });
});
