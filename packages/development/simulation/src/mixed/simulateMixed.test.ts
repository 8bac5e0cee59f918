import { expect, test } from "vitest";
import { simulateMixed } from "./simulateMixed.js";

// In 1142 and 1329 nodes accuse each other, and the offender has no stake any more. In 4343 a node merges blocks that it
// has not executed. In 6486 a node gets an accusation of a block that it does not hold. In 8945 f1r3node's ranking leaves the
// side with most of the stake.
test.each([1, 2, 1_142, 1_329, 4_343, 6_486, 8_945])(
  "validators of both makes stay one network where one makes two blocks at once (seed %i)",
  async (seed) => {
    expect((await simulateMixed(seed)).wrong).toEqual([]);
  },
);

test("a run without an end is a fault", async () => {
  const { wrong } = await simulateMixed(1, 5);
  expect(wrong).toEqual(["it does not end: offender still judges after 5 judgements"]);
});
