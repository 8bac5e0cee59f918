import { expect, test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

// Its other cases are in equivocator.long.test.ts.
test("on a network of the newer dialect a validator that equivocates is slashed, and the others go on", async () => {
  expect.hasAssertions();
  await expectEquivocatorDealtWith({ judgeBy: "arrival", dialect: "rnode-rust", further: 1, slashes: true });
});
