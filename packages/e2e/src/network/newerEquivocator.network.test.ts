import { test } from "vitest";
import { expectEquivocatorDealtWith } from "./expectEquivocatorDealtWith.js";

test("on a network of the newer dialect a validator that equivocates is slashed, and the others go on", async () => {
  await expectEquivocatorDealtWith({ judgeBy: "arrival", dialect: "rnode-rust", further: 2, slashes: true });
}, 1_200_000);
