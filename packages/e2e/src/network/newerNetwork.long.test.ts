import { test } from "vitest";
import { expectNewerNetwork } from "./newerNetwork.js";

test("300 blocks of the newer dialect: 20 kills, a validator that is bonded and leaves, one that equivocates and is slashed", async () => {
  await expectNewerNetwork({ blocks: 300, kills: 20, bonds: true, equivocates: true });
}, 10_800_000);
