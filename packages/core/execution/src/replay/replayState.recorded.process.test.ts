import { expect, test } from "vitest";
import { replayF1r3nodeChain } from "../testing/replayF1r3nodeChain.js";

test(`every block of solo-r replays from its pre-state to its post-state`, () => {
  expect(replayF1r3nodeChain("solo-r")).toBe(33);
}, 300_000);
