import { expect, test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

test("judged by evidence, a validator whose data was put back to an older copy equivocates; the others go on, and slash it", async () => {
  expect.hasAssertions();
  // A proof is enough.
  await expectEquivocatorDealtWith({ judgeBy: "evidence", further: 0, slashes: true });
});
