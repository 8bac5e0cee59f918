import { expect, test } from "vitest";
import { replayNewerChain } from "../testing/replayNewerChain.js";

test(`every block of solo-r replays from its pre-state to its post-state`, () => {
  expect(replayNewerChain("solo-r")).toBe(33);
}, 300_000);
