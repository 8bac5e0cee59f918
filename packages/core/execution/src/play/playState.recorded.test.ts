import { expect, test } from "vitest";
import { playF1r3nodeChain } from "../testing/playF1r3nodeChain.js";

// The whole chain is playState.recorded.long.test.ts.
test(`the first blocks of solo-r that are played again are as recorded`, () => {
  expect(playF1r3nodeChain("solo-r", 3)).toEqual({ blocks: 3, deploys: 10, otherOrders: [] });
}, 60_000);
