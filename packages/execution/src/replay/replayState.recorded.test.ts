import { expect, test } from "vitest";
import { replayNewerChain } from "../testing/replayNewerChain.js";

// The whole of solo-r is replayState.process.test.ts.
test(`every block of trio-r that needs no merge replays from its pre-state to its post-state`, () => {
  expect(replayNewerChain("trio-r")).toBe(5);
});
