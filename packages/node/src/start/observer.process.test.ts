import { chainsDirectory } from "@vedette/testing";
import { test } from "vitest";
import { checkBothBeginnings } from "../testing/checkBothBeginnings.js";

const isMissing = chainsDirectory() === undefined;
const note = isMissing ? " (skipped: ../shared is not there)" : "";

test.skipIf(isMissing)(
  `an observer reaches the tip of a process that serves a recorded chain, in both ways of beginning${note}`,
  async () => {
    await checkBothBeginnings("equivocation-v1");
  },
  240_000,
);
