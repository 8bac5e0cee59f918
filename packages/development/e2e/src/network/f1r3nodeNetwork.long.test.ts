// Covers: chain, network, node
import { test } from "vitest";
import { expectF1r3nodeNetwork } from "./f1r3nodeNetwork.js";

const blocks = Number(process.env["VEDETTE_LONG_NEWER_BLOCKS"] ?? 200);
const kills = Number(process.env["VEDETTE_LONG_NEWER_KILLS"] ?? 15);

test(`${blocks} blocks of f1r3node: ${kills} kills, a validator that is bonded and leaves, one that equivocates and is slashed`, async () => {
  await expectF1r3nodeNetwork({ blocks, kills, bonds: true, equivocates: true });
});
