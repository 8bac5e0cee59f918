import { toHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { FinalTransfers } from "./FinalTransfers.js";
import { NotToldError } from "./requireTold.js";
import { MadeChain, madeDeploy } from "./testing/MadeChain.js";

const made = new MadeChain();
const [first, second] = [made.next([madeDeploy()]), made.next([madeDeploy({ deployer: 0x33 })])];

/** What is told of two blocks, and for how long is waited in between, where each look ends so. */
async function toldWhere(look: (attempt: number) => Promise<readonly []>) {
  const told: string[] = [];
  const pauses: number[] = [];
  let attempts = 0;
  const transfers = new FinalTransfers(
    { transfersOf: () => look((attempts += 1)) },
    (moment) => void (moment.event === "transfers-available" && told.push(moment.blockHash)),
    async (ms) => void pauses.push(ms),
  );
  transfers.onFinal(first);
  transfers.onFinal(second);
  await expect.poll(() => told.includes(toHex(second.hash))).toBe(true);
  await transfers.close();
  return { told, pauses };
}

const both = [toHex(first.hash), toHex(second.hash)];

test("what a reader does not see yet is looked for again, and told in order", async () => {
  const answers = await toldWhere(async (attempt) => {
    if (attempt < 4) throw new NotToldError(true);
    return [];
  });
  expect(answers).toEqual({ told: both, pauses: [50, 100, 200] });
});

test("of a block that was not executed here nothing is told, and nobody waits for it", async () => {
  const answers = await toldWhere(async (attempt) => {
    if (attempt === 1) throw new NotToldError(false);
    return [];
  });
  expect(answers).toEqual({ told: both.slice(1), pauses: [] });
});

test("a block that stays unknown keeps the others waiting for a time only", async () => {
  const answers = await toldWhere(async (attempt) => {
    if (attempt < 10) throw new NotToldError(true);
    return [];
  });
  expect([answers.told, answers.pauses.length]).toEqual([both.slice(1), 8]);
});
