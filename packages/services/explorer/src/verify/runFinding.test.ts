import { expect, test } from "vitest";
import { findingOf } from "./Finding.js";
import { comparedResults, type RunFinding } from "./runFinding.js";

const run = (results: readonly string[] | undefined, error?: string): RunFinding => ({
  ...findingOf({ isFinal: true, checked: ["it ran"] }),
  own: { results, error, cost: 1n, root: "ab", read: [] },
});

test("another value than the one found here is a lie; a failure here accuses no node and verifies nothing", () => {
  expect(comparedResults(run(['"a lamp"']), ['"a lamp"']).state).toBe("verified");
  expect(comparedResults(run(['"a lamp"']), ['"a torch"'])).toMatchObject({
    state: "wrong",
    lies: [{ field: "results", reported: '"a torch"', shown: '"a lamp"' }],
  });
  expect(comparedResults(run(undefined, "no phlo"), ['"a lamp"'])).toMatchObject({
    state: "unclear",
    left: ["the program failed here: no phlo"],
    lies: [],
  });
});
