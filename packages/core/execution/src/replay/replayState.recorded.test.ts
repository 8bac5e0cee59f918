import { expect, test } from "vitest";
import { replayF1r3nodeChain } from "../testing/replayF1r3nodeChain.js";

// The whole of solo-r is replayState.process.test.ts.
test(`every block of trio-r that needs no merge replays from its pre-state to its post-state`, () => {
  expect(replayF1r3nodeChain("trio-r")).toBe(5);
});
