import { reportedBondTerm, reportedUnbondTerm } from "@vedette/client";
import { expect, test } from "vitest";
import { type ListedBlock, NetworkProcesses } from "../testing/NetworkProcesses.js";
import { expectAgreement } from "../testing/networkChecks.js";
import { deployIsFinal, deployTo } from "../testing/networkDeploys.js";

test("a validator joins by bonding, makes blocks, and leaves by unbonding", async () => {
  await using network = await NetworkProcesses.start({
    validators: 2,
    rhythmMs: 1_000,
    epochLength: 4,
    quarantineLength: 4,
  });
  const [owner] = network.wallets;
  await network.finalizes(network.names, 2, 180_000);
  await network.join("validator3", "validator", { privateKey: owner!.privateKey });
  const bond = await deployTo(network, "validator1", owner!, reportedBondTerm(1_000n));
  await deployIsFinal(network, "observer", bond, 120_000);
  const newest = async () =>
    ((await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock }).blockInfo;
  const made = async () => {
    const { blockNumber } = await newest();
    const blocks = await network.blocks("observer", Math.max(0, blockNumber - 20), blockNumber);
    return blocks.some(({ sender }) => sender === owner!.publicKey);
  };
  await network.until({ what: "the new validator's blocks are final", within: 180_000 }, made);
  const { bonds } = await newest();
  expect(bonds).toContainEqual({ validator: owner!.publicKey, stake: 1_000 });

  const unbond = await deployTo(network, "validator1", owner!, reportedUnbondTerm());
  await deployIsFinal(network, "observer", unbond, 120_000);
  await network.until({ what: "it is a validator no longer", within: 180_000 }, async () => {
    const block = await newest();
    return block.bonds.every(({ validator, stake }) => validator !== owner!.publicKey || stake === 0);
  });
  await expectAgreement(network);
});
