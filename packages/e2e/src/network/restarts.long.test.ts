import { expect, test } from "vitest";
import { expectPromptRestarts } from "./expectPromptRestarts.js";

test("an observer that was killed 20 times has a peer in 2 s and, where the machine is idle, the newest of 20 missed blocks in 5 s", async () => {
  expect.hasAssertions();
  await expectPromptRestarts(20);
}, 1_800_000);
