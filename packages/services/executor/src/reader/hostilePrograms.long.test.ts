import { expect, test } from "vitest";
import { allPrograms, expectedOutcomes, runHostilePrograms } from "../testing/hostileOutcomes.js";

test.each(["rnode", "f1r3node"] as const)(
  "hostile programs of every kind end with a clear reason, leave no trace, and delay no other request: %s",
  async (dialect) => {
    expect(await runHostilePrograms(allPrograms, dialect)).toEqual(expectedOutcomes(allPrograms, dialect));
  },
);
