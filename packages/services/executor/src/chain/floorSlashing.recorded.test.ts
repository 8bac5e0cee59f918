import { testKey } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import {
  type F1r3nodeBeginning,
  F1r3nodeTestNetwork,
  ownBeginning,
  recordedBeginning,
} from "../testing/F1r3nodeTestNetwork.js";
import { copyOf, F1r3nodeValidator } from "../testing/F1r3nodeValidator.js";

const offender = toHex(testKey("v3").publicKey);
const recorded = recordedBeginning();

test(
  `on a recorded genesis a validator that makes two blocks at once loses its stake, and the others agree`,
  () => checkSlashed(recorded),
  300_000,
);

describe("on our own contracts a validator that makes two blocks at once loses its stake, and the others agree", () => {
  const beginning = ownBeginning();

  test("where they receive both before they build on one", () => checkSlashed(beginning));

  test("where some have built on one of the two", () => checkSlashed(beginning, [0]));

  test("where all have built on one of the two", () => checkSlashed(beginning, [0, 1]));
});

/** @param before validators that build on the first of the two blocks before they receive the second */
async function checkSlashed(beginning: F1r3nodeBeginning, before: readonly number[] = []): Promise<void> {
  const network = await F1r3nodeTestNetwork.begin(beginning, { proposer: { slashesUnconfirmed: true } });
  await network.round();
  const second = await secondBlock(network, beginning);
  expect((await network.round()).refusals).toEqual([]);
  if (before.length > 0) expect((await network.round(before)).refusals).toEqual([]);
  for (const validator of network.validators) expect(await validator.take(second)).toBe("IgnorableEquivocation");
  const slashing = await network.round([0, 1]);
  expect(slashing.blocks.map(slashesOf)).toEqual([[toHex(second.hash)], [toHex(second.hash)]]);
  expect(slashing.refusals).toEqual([]);
  let made = slashing;
  for (let round = 1; round <= 3; round += 1) {
    made = await network.round([0, 1]);
    expect(made.refusals).toEqual([]);
  }
  for (const { body } of made.blocks) {
    const stakes = body.state.bonds.filter(({ stake }) => stake > 0n).map(({ validator }) => toHex(validator));
    expect(stakes).toHaveLength(2);
    expect(stakes).not.toContain(offender);
  }
  const [first, ...others] = network.views();
  for (const other of others) expect(other).toEqual(first);
}

/** A block of the third validator beside the one that it makes next. */
async function secondBlock(
  { validators, blocks }: F1r3nodeTestNetwork,
  { block: first }: F1r3nodeBeginning,
): Promise<Block> {
  const twin = await F1r3nodeValidator.begin("v3", first, { stateStore: copyOf(validators[2]!.stateStore) });
  for (const block of blocks) expect(await twin.take(block)).toBe("Valid");
  twin.nowMs = validators[2]!.nowMs + 5_000;
  return twin.make();
}

function slashesOf({ body }: Block): string[] {
  return body.systemDeploys.flatMap(({ systemDeploy }) =>
    systemDeploy.kind === "slash" ? [toHex(systemDeploy.invalidBlockHash)] : [],
  );
}
