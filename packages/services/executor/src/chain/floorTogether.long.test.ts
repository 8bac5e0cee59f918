import { testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { expect, test } from "vitest";
import { F1r3nodeTestNetwork, laterValidator, ownBeginning } from "../testing/F1r3nodeTestNetwork.js";
import { copyOf, F1r3nodeValidator } from "../testing/F1r3nodeValidator.js";
import { stakeCallTerm } from "../testing/stakeCallTerm.js";

const maxBlocks = 300;
const offender = toHex(testKey("v3").publicKey);
const later = toHex(testKey(laterValidator).publicKey);

/**
 * The events besides contested deploys, by rounds. A validator that makes two blocks at the last height of an epoch
 * goes free (61 §15.2): these are in the middle of one.
 */
const turns = { joins: 3, bonds: 5, equivocates: 38, withdraws: 60 };

test("three hundred blocks with contested cells, an equivocator, and a validator that comes and goes", async () => {
  const beginning = ownBeginning();
  const network = await F1r3nodeTestNetwork.begin(beginning, { proposer: { slashesUnconfirmed: true } });
  await network.fillCell();
  const [first] = network.validators;
  let bonded = new Set<string>();
  for (let round = 1; network.blocks.length < maxBlocks; round += 1) {
    if (round === turns.joins) await network.join(laterValidator);
    if (round === turns.bonds) first!.deploy(laterValidator, stakeCallTerm('"bond", *deployerId, 500'));
    if (round === turns.withdraws) first!.deploy(laterValidator, stakeCallTerm('"withdraw", *deployerId'));
    if (round % 2 === 0) network.contest(round);
    const second = round === turns.equivocates ? await secondBlock(network, beginning.block) : undefined;
    const isSlashed = round > turns.equivocates;
    const makers = [0, 1, ...(isSlashed ? [] : [2]), ...(bonded.has(later) ? [3] : [])];
    const { blocks, refusals } = await network.round(makers);
    expect(refusals, `round ${round}`).toEqual([]);
    if (second !== undefined)
      for (const validator of network.validators) expect(await validator.take(second)).toBe("IgnorableEquivocation");
    bonded = stakesOf(blocks[0]!);
    if (round === turns.withdraws) expect(bonded).toContain(later);
  }
  expect(bonded).not.toContain(offender);
  expect(bonded).not.toContain(later);
  const [view, ...others] = network.views();
  for (const other of others) expect(other).toEqual(view);
  expect(Number(network.blocks.at(-1)!.number) - view!.lastFinalized.number).toBeLessThan(5);
});

function stakesOf({ body }: Block): Set<string> {
  return new Set(body.state.bonds.flatMap(({ validator, stake }) => (stake > 0n ? [toHex(validator)] : [])));
}

/** A block of the third validator beside the one that it makes next. */
async function secondBlock({ validators, blocks }: F1r3nodeTestNetwork, first: Block): Promise<Block> {
  const [, , third] = validators;
  const twin = await F1r3nodeValidator.begin("v3", first, { stateStore: copyOf(third!.stateStore) });
  twin.nowMs = third!.nowMs + 5_000;
  for (const block of blocks) expect(await twin.take(block)).toBe("Valid");
  return twin.make();
}
