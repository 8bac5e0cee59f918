import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { replayNewerChain } from "../testing/replayNewerChain.js";

const chains = recordedDirectory("chains-r");
const skipped = chains === undefined ? " (skipped: no chains here)" : "";

// The whole of solo-r is replayState.process.test.ts.
test.skipIf(chains === undefined)(
  `every block of trio-r that needs no merge replays from its pre-state to its post-state${skipped}`,
  () => {
    expect(replayNewerChain("trio-r")).toBe(5);
  },
);
