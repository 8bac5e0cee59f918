import { test } from "vitest";
import { expectNewerNetwork } from "./newerNetwork.js";

// The long one is newerNetwork.long.test.ts.
test("three validators of the newer dialect, a bootstrap node and an observer: five kills, one agreement", async () => {
  await expectNewerNetwork({ blocks: 15, kills: 5, bonds: false, equivocates: false });
}, 1_200_000);
