import { seedOfToday, whyNotRecorded } from "@vedette/testing";
import { expect, test } from "vitest";
import { checkPowerCuts } from "../testing/powerCutStates.js";

const why = whyNotRecorded();

test.skipIf(why !== undefined)(
  `a store holds whole transactions and all that it promised, whatever a loss of power leaves of its files${why === undefined ? "" : ` (skipped: ${why})`}`,
  async () => {
    const { kept, lost } = await checkPowerCuts(60, seedOfToday());
    expect(kept + lost).toBe(60);
  },
);
