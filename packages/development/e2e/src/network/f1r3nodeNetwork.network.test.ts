import { test } from "vitest";
import { expectF1r3nodeNetwork } from "./f1r3nodeNetwork.js";

// The long one is f1r3nodeNetwork.long.test.ts.
test("three validators of f1r3node, a bootstrap node and an observer: three kills, one agreement", async () => {
  await expectF1r3nodeNetwork({ blocks: 10, kills: 3, bonds: false, equivocates: false });
});
