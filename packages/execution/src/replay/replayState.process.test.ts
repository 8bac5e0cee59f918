import { recordedDirectory } from "@vedette/testing";
import { expect, test } from "vitest";
import { replayNewerChain } from "../testing/replayNewerChain.js";

const chains = recordedDirectory("chains-r");
const skipped = chains === undefined ? " (skipped: no chains here)" : "";

test.skipIf(chains === undefined)(
  `every block of solo-r replays from its pre-state to its post-state${skipped}`,
  () => {
    expect(replayNewerChain("solo-r")).toBe(33);
  },
  300_000,
);
