import { expect, test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

test("judged by 'arrival', a validator whose data was put back to an older copy equivocates; the others go on, and slash it where they begin", async () => {
  expect.hasAssertions();
  // Only an invalid block that is the latest of its validator is a reason to slash (40 §9.6), and it is recorded only
  // where a later one waits for it (40 §5.9).
  await expectEquivocatorDealtWith({ judgeBy: "arrival", further: 2, slashes: true });
});
