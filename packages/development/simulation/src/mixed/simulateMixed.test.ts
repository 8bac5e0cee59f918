import { expect, test } from "vitest";
import { simulateMixed } from "./simulateMixed.js";

test.each([1, 2])(
  "validators of both makes stay one network where one makes two blocks at once (seed %i)",
  async (seed) => {
    expect((await simulateMixed(seed)).wrong).toEqual([]);
  },
);
