import { expect, test } from "vitest";
import { expectedOutcomes, runHostilePrograms } from "../testing/hostileOutcomes.js";

test("hostile programs end with a clear reason, leave no trace, and hold up nobody else", async () => {
  const names = [
    ...["malformed", "endless", "deepList", "deepSum", "tooDeep", "manySends", "tooLarge"],
    ...["doubledBytes", "doubledLists", "longMatch", "manyEscapes", "overrun"],
  ];
  expect(await runHostilePrograms(names)).toEqual(expectedOutcomes(names));
});
