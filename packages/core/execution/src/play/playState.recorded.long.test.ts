import { expect, test } from "vitest";
import { playF1r3nodeChain } from "../testing/playF1r3nodeChain.js";

test(`all blocks of solo-r that are played again are as recorded`, () => {
  expect(playF1r3nodeChain("solo-r")).toEqual({ blocks: 32, deploys: 116, otherOrders: [] });
}, 300_000);
