import { usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { allPrograms, expectedOutcomes, expectedText, runHostilePrograms } from "../testing/hostileOutcomes.js";
import { endsByItself } from "../testing/hostileTerms.js";

test.each(usualCases(["rnode", "f1r3node"] as const))(
  "hostile programs end with a clear reason, leave no trace, and delay no other request: %s",
  async (dialect) => {
    const names = [
      ...["malformed", "endless", "deepList", "deepSum", "tooDeep", "manySends", "tooLarge"],
      ...["doubledBytes", "doubledLists", "longMatch", "splitMatch", "manyEscapes", "overrun"],
    ];
    expect(await runHostilePrograms(names, dialect)).toEqual(expectedOutcomes(names, dialect));
  },
);

test("only programs that may be ended by time have little of it", () => {
  for (const name of allPrograms) {
    const mayBeLate = expectedText(name).test("stopped: deadline");
    expect([name, endsByItself.has(name)]).toEqual([name, !mayBeLate && name !== "overrun"]);
  }
});
