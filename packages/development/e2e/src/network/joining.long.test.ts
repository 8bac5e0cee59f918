// Covers: chain, execution, node, sync
import { readdirSync } from "node:fs";
import { balanceTerm, bondWithResultTerm, deployKeyOf, unbondWithResultTerm } from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import { expect, test } from "vitest";
import { type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceIn, balanceOf, deployIsFinal, deployTo, signedBy } from "./networkDeploys.js";

const stake = 1_000_000n;

test("a validator joins by bonding, makes blocks, leaves by unbonding and has its stake back; observers join late", async () => {
  await using network = await NetworkProcesses.start({
    validators: 2,
    rhythmMs: 500,
    epochLength: 4,
    quarantineLength: 4,
  });
  const [owner] = network.wallets;
  await network.finalizes(network.names, 2);
  await network.join("validator3", "validator", { privateKey: owner!.privateKey });
  const bond = await deployTo(network, "validator1", owner!, bondWithResultTerm(stake, "rnode"));
  await deployIsFinal(network, "observer", bond);
  const newest = async () =>
    ((await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock }).blockInfo;
  const made = async () => {
    const { blockNumber } = await newest();
    const blocks = await network.blocks("observer", Math.max(0, blockNumber - 20), blockNumber);
    return blocks.some(({ sender }) => sender === owner!.publicKey);
  };
  await network.until("the new validator's blocks are final", made);
  const { bonds } = await newest();
  expect(bonds).toContainEqual({ validator: owner!.publicKey, stake: Number(stake) });
  const bonded = await balanceOf(network, owner!);
  expect(bonded).toBeLessThanOrEqual(owner!.balance - stake);

  await joinObservers(network);

  const unbond = await deployTo(network, "validator1", owner!, unbondWithResultTerm("rnode"));
  await deployIsFinal(network, "observer", unbond);
  await network.until("it is a validator no longer", async () => {
    const block = await newest();
    return block.bonds.every(({ validator, stake }) => validator !== owner!.publicKey || stake === 0);
  });
  // Its payment for the deploy is far less than the stake.
  await network.until("its stake is given back", async () => {
    return (await balanceOf(network, owner!)) > bonded + stake / 2n;
  });
  expect(await balanceIn(network, balanceTerm(owner!.address, "rnode"))).toBeGreaterThan(owner!.balance - stake);
  // A node that began with a state has no blocks from long before.
  await expectAgreement(
    network,
    network.names.filter((name) => name !== "lateState"),
  );
});

const statesOf = (blocks: readonly ListedBlock[]) =>
  blocks.map(({ blockHash, postStateHash }) => `${blockHash} ${postStateHash}`).sort();

/** One begins with the last finalized state, the other replays all; neither holds a key or takes a deploy. */
async function joinObservers(network: NetworkProcesses): Promise<void> {
  const [owner] = network.wallets;
  const { finalized } = (await network.heights("observer"))!;
  expect(finalized).toBeGreaterThan(4);
  for (const [name, isReplayed] of [
    ["lateReplay", true],
    ["lateState", false],
  ] as const) {
    await network.join(name, "observer", { more: { "protocol-client.disable-lfs": isReplayed } });
    await network.finalizes([name], finalized);
    if (isReplayed) expect((await network.blocks(name, 0, 0)).length).toBe(1);
    else {
      // It has no blocks from long before the one that it began with, which may be far above what was final.
      const { finalized: own } = (await network.heights(name))!;
      const states = async (of: string) => statesOf(await network.blocks(of, own - 4, own));
      // A block beside the last finalized one comes with the first block that justifies it.
      await expect.poll(() => states(name)).toEqual(await states("observer"));
    }
    expect(readdirSync(network.node(name).plan.directory).filter((file) => file.startsWith("validator"))).toEqual([]);
    using client = network.client(name);
    const deploy = signedBy(deployKeyOf(fromHex(owner!.privateKey)), { term: "Nil" });
    await expect(client.deploy(deploy)).rejects.toThrow(/read-only/);
    await expect(client.propose()).rejects.toThrow(/read-only/);
  }
}
