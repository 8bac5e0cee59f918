import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { reportedBondTerm, reportedUnbondTerm } from "@vedette/client";
import { expect } from "vitest";
import { type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, deployTo, transferBy } from "./networkDeploys.js";

/** How long a network of the newer dialect is tried, and what is done to it. */
export interface NewerNetworkTrial {
  /** Final at its end. */
  readonly blocks: number;
  /** Of nodes by turns, at random moments. */
  readonly kills: number;
  /** Whether a wallet's key becomes a validator, and goes again. */
  readonly bonds: boolean;
}

const rhythmMs = 1_000;
const stake = 500n;
/** All write to it, so that blocks side by side contest it. */
const cell = "newer network";

/**
 * Validators of the newer dialect that make blocks side by side, contest a cell and move money, while nodes are killed
 * and come back: all agree on the final chain and its states, and no money is made or lost.
 *
 * @spec 61 §0
 */
export async function expectNewerNetwork({ blocks, kills, bonds }: NewerNetworkTrial): Promise<void> {
  const settings = { validators: 3, wallets: 7, rhythmMs, epochLength: 20, quarantineLength: 10 };
  await using network = await NetworkProcesses.start({ ...settings, dialect: "rnode-rust" });
  await network.finalizes(network.names, 2, 240_000);
  const { wallets, validators } = network;
  const owner = wallets[6]!;
  const moved: string[] = [];
  const contested: string[] = [];
  const act = async () => {
    for (const [at, name] of validators.entries()) {
      moved.push(await transferBy(network, name, { from: wallets[at]!, to: wallets[at + 3]!, amount: 100n }));
      contested.push(await deployTo(network, name, wallets[at]!, contest(contested.length)));
    }
  };
  await act();
  if (bonds) await bondAndLeave(network, owner);
  for (let kill = 0; kill < kills; kill += 1) {
    const name = network.names[kill % network.names.length]!;
    await sleep(randomInt(2 * rhythmMs));
    const { finalized: before } = (await network.heights(name)) ?? { finalized: 0 };
    await network.kill(name);
    await sleep(randomInt(3 * rhythmMs));
    network.restart(name);
    await network.finalizes([name], before, 120_000);
    await network.until({ what: "programs are taken", within: 60_000 }, async () => {
      await act();
      return true;
    });
    await network.finalizes(network.names, before + 2, 240_000);
  }
  for (const id of moved) await deployIsFinal(network, "observer", id, 300_000);
  await network.finalizes(network.names, blocks, 3_600_000);
  for (const wallet of wallets.slice(3, 6))
    expect((await balanceOf(network, wallet)) - wallet.balance).toBe(100n * BigInt(moved.length / validators.length));
  await expectAgreement(network);
}

/** Takes what is there and puts something else: of two side by side one has to give way. */
function contest(value: number): string {
  return `for (_ <- @"${cell}") { @"${cell}"!(${value}) } | @"${cell}"!(${value})`;
}

/** @throws Error where the key does not get a stake, or does not lose its place among the validators */
async function bondAndLeave(network: NetworkProcesses, owner: NetworkProcesses["wallets"][number]): Promise<void> {
  const [validator] = network.validators;
  const key = owner.publicKey;
  const isBonded = async () => {
    const { blockInfo } = (await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock };
    return blockInfo.bonds.some((bond) => bond.validator === key && BigInt(bond.stake) === stake);
  };
  const bond = await deployTo(network, validator!, owner, reportedBondTerm(stake, network.dialect));
  await deployIsFinal(network, "observer", bond, 240_000);
  await network.until({ what: "the key is bonded", within: 600_000 }, isBonded);
  const unbond = await deployTo(network, validator!, owner, reportedUnbondTerm(network.dialect));
  await deployIsFinal(network, "observer", unbond, 240_000);
  await network.until({ what: "the key has left", within: 600_000 }, async () => !(await isBonded()));
}
