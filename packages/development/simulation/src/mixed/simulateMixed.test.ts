import { expect, test } from "vitest";
import { simulateMixed } from "./simulateMixed.js";

// In the last two, nodes accuse each other, and the offender has no stake any more.
test.each([1, 2, 1_142, 1_329])(
  "validators of both makes stay one network where one makes two blocks at once (seed %i)",
  async (seed) => {
    expect((await simulateMixed(seed)).wrong).toEqual([]);
  },
);
