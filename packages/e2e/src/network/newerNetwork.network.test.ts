import { test } from "vitest";
import { expectNewerNetwork } from "./newerNetwork.js";

// The long one is newerNetwork.long.test.ts.
test("three validators of the newer dialect, a bootstrap node and an observer: three kills, one agreement", async () => {
  await expectNewerNetwork({ blocks: 10, kills: 3, bonds: false, equivocates: false });
});
