import { seedOfToday, skipNote, whyNotRecorded } from "@vedette/testing";
import { expect, test } from "vitest";
import { checkPowerCuts } from "../testing/powerCutStates.js";

const cuts = 12;
const why = whyNotRecorded();

test.skipIf(why !== undefined)(
  `a store holds whole transactions and all that it promised, whatever a loss of power leaves of its files${skipNote(why)}`,
  async () => {
    const { kept, lost } = await checkPowerCuts(cuts, seedOfToday());
    expect(kept + lost).toBe(cuts);
  },
);
