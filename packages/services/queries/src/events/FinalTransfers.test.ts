import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import { expect, test } from "vitest";
import { FinalTransfers } from "./FinalTransfers.js";
import { NotReportedError } from "./requireReported.js";
import type { BlockTransfer } from "./TransferPort.js";
import { FakeEventChain, madeDeploy } from "./testing/FakeEventChain.js";

const made = new FakeEventChain();
const [first, second] = [made.next([madeDeploy()]), made.next([madeDeploy({ deployer: 0x33 })])];

/** A transfer out of the vault of who signed a deploy: no other is told. */
function movedBy({ deployer, signature: deployId }: Deploy): BlockTransfer {
  const from = vaultAddressOfPublicKey(deployer)!;
  return { deployId, deployer, from, to: "elsewhere", amount: 1n, failReason: undefined };
}

/** What is told of two blocks, and for how long is waited in between, where each look ends so. */
async function reportedWhere(failure: (attempt: number) => NotReportedError | undefined) {
  const told: string[] = [];
  const pauses: number[] = [];
  let attempts = 0;
  const transfers = new FinalTransfers(
    {
      async transfersOf(block) {
        const error = failure((attempts += 1));
        if (error !== undefined) throw error;
        return block.body.deploys.map(({ deploy }) => movedBy(deploy));
      },
    },
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
  const answers = await reportedWhere((attempt) => (attempt < 4 ? new NotReportedError(true) : undefined));
  expect(answers).toEqual({ told: both, pauses: [50, 100, 200] });
});

test("of a block that was not executed here nothing is told, and nobody waits for it", async () => {
  const answers = await reportedWhere((attempt) => (attempt === 1 ? new NotReportedError(false) : undefined));
  expect(answers).toEqual({ told: both.slice(1), pauses: [] });
});

test("a block that stays unknown keeps the others waiting for a time only", async () => {
  const answers = await reportedWhere((attempt) => (attempt < 10 ? new NotReportedError(true) : undefined));
  expect([answers.told, answers.pauses.length]).toEqual([both.slice(1), 8]);
});
