import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { playNewerChain } from "../testing/playNewerChain.js";

const isHere = recordedDirectory("chains-r") !== undefined;

// The whole chain is playState.process.test.ts.
test.skipIf(!isHere)(
  `the first blocks of solo-r that are played again are as recorded${isHere ? "" : " (skipped: not here)"}`,
  () => {
    expect(playNewerChain("solo-r", 3)).toEqual({ blocks: 3, deploys: 10, otherOrders: [] });
  },
  60_000,
);
