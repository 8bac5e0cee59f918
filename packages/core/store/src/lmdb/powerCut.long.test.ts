import { seedOfToday, skipNote, whyNotRecorded } from "@vedette/testing";
import { expect, test } from "vitest";
import { checkPowerCuts } from "../testing/powerCutStates.js";

const why = whyNotRecorded();
const cuts = 2_000;

test.skipIf(why !== undefined)(
  `a store holds whole transactions and all that it promised on ${cuts} disks after losses of power${skipNote(why)}`,
  async () => {
    const seed = seedOfToday();
    const { kept, lost } = await checkPowerCuts(cuts, seed);
    process.stdout.write(`${cuts} disks of seed ${seed}: with the transaction under way ${kept}, without it ${lost}\n`);
    expect(kept + lost).toBe(cuts);
    expect(Math.min(kept, lost)).toBeGreaterThan(cuts / 100);
  },
);
