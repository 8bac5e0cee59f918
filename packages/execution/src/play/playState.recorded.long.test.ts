import { expect, test } from "vitest";
import { playNewerChain } from "../testing/playNewerChain.js";

test(`all blocks of solo-r that are played again are as recorded`, () => {
  expect(playNewerChain("solo-r")).toEqual({ blocks: 32, deploys: 116, otherOrders: [] });
}, 300_000);
