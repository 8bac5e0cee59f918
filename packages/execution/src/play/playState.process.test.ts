import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { playNewerChain } from "../testing/playNewerChain.js";

const isHere = recordedDirectory("chains-r") !== undefined;

test.skipIf(!isHere)(
  `all blocks of solo-r that are played again are as recorded${isHere ? "" : " (skipped: not here)"}`,
  () => {
    expect(playNewerChain("solo-r")).toEqual({ blocks: 32, deploys: 116, otherOrders: [] });
  },
  300_000,
);
