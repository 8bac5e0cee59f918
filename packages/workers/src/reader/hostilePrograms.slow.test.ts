import { expect, test } from "vitest";
import { allPrograms, expectedOutcomes, runHostilePrograms } from "../testing/hostileOutcomes.js";

test("hostile programs of every kind end with a clear reason, leave no trace, and hold up nobody else", async () => {
  expect(await runHostilePrograms(allPrograms)).toEqual(expectedOutcomes(allPrograms));
});
