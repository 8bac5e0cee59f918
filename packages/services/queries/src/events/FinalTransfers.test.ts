import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import type { Deploy } from "@vedette/protocol";
import { expect, test } from "vitest";
import { FinalTransfers } from "./FinalTransfers.js";
import { NotReportedError } from "./requireReported.js";
import type { BlockTransfer } from "./TransferPort.js";
import { FakeEventChain, madeDeploy } from "./testing/FakeEventChain.js";

const made = new FakeEventChain();
const [first, second] = [made.next([madeDeploy()]), made.next([madeDeploy({ deployer: 0x33 })])];

/** A transfer out of the vault of a deploy's signer: others are not reported. */
function movedBy({ deployer, signature: deployId }: Deploy): BlockTransfer {
  const from = vaultAddressOfPublicKey(deployer)!;
  return { deployId, deployer, from, to: "elsewhere", amount: 1n, failReason: undefined };
}

/** Returns the blocks that were reported, and the pauses between attempts, where each attempt ends as given. */
async function reportedWhere(failure: (attempt: number) => NotReportedError | undefined) {
  const reported: string[] = [];
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
    (moment) => void (moment.event === "transfers-available" && reported.push(moment.blockHash)),
    async (ms) => void pauses.push(ms),
  );
  transfers.onFinal(first);
  transfers.onFinal(second);
  await expect.poll(() => reported.includes(toHex(second.hash))).toBe(true);
  await transfers.close();
  return { reported, pauses };
}

const both = [toHex(first.hash), toHex(second.hash)];

test("transfers that a reader does not see yet are looked for again, and reported in order", async () => {
  const answers = await reportedWhere((attempt) =>
    attempt < 4 ? new NotReportedError({ code: "notYet" }) : undefined,
  );
  expect(answers).toEqual({ reported: both, pauses: [50, 100, 200] });
});

test("a block that was not executed here is left out, and keeps no other waiting", async () => {
  const answers = await reportedWhere((attempt) =>
    attempt === 1 ? new NotReportedError({ code: "never" }) : undefined,
  );
  expect(answers).toEqual({ reported: both.slice(1), pauses: [] });
});

test("a block that stays unknown keeps the others waiting for a time only", async () => {
  const answers = await reportedWhere((attempt) =>
    attempt < 10 ? new NotReportedError({ code: "notYet" }) : undefined,
  );
  expect([answers.reported, answers.pauses.length]).toEqual([both.slice(1), 8]);
});
