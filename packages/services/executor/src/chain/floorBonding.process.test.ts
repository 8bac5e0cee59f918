import { testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { F1r3nodeTestNetwork, laterValidator, ownBeginning } from "../testing/F1r3nodeTestNetwork.js";
import { stakeCallTerm } from "../testing/stakeCallTerm.js";

const epochLength = 6;
const later = toHex(testKey(laterValidator).publicKey);

test("a validator that bonds itself makes blocks when the final state has its stake, and none when it has withdrawn", async () => {
  const network = await F1r3nodeTestNetwork.begin(ownBeginning());
  await network.fillCell();
  await network.join(laterValidator);
  const old = [0, 1, 2];
  const all = [...old, 3];
  let round = 0;
  const step = async (makers: readonly number[]): Promise<readonly Block[]> => {
    network.contest((round += 1));
    const { blocks, refusals } = await network.round(makers);
    expect(refusals).toEqual([]);
    return blocks;
  };
  const until = async (makers: readonly number[], hasStake: boolean): Promise<void> => {
    for (let waited = 0; waited < 4 * epochLength; waited += 1) {
      const blocks = await step(makers);
      if (blocks.every((block) => hasStakeIn(block) === hasStake)) return;
    }
    expect.fail(`${laterValidator} ${hasStake ? "gets no" : "keeps its"} stake`);
  };
  const [first] = network.validators;
  expect(await network.validators[3]!.proposer.propose()).toMatchObject({ status: "NotBonded" });
  first!.deploy(laterValidator, stakeCallTerm('"bond", *deployerId, 500'));
  await until(old, true);
  const numbers = (await step(all)).map(({ sequenceNumber }) => sequenceNumber);
  expect(numbers.at(-1)).toBe(1);
  for (let turn = 0; turn < 4; turn += 1) await step(all);
  first!.deploy(laterValidator, stakeCallTerm('"withdraw", *deployerId'));
  await until(all, false);
  await step(old);
  expect(await network.validators[3]!.proposer.propose()).toMatchObject({ status: "NotBonded" });
  const [view, ...others] = network.views();
  for (const other of others) expect(other).toEqual(view);
});

function hasStakeIn({ body }: Block): boolean {
  return body.state.bonds.some(({ validator, stake }) => stake > 0n && toHex(validator) === later);
}
