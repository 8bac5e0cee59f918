import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { bondWithResultTerm, unbondWithResultTerm } from "@vedette/client";
import type { TestWallet } from "@vedette/devtools/devnet";
import { type ReceivedEvent, WebSocketClient } from "@vedette/server/testing";
import { expect } from "vitest";
import { equivocate, genesisStake, losesStake, slashedMoney } from "./expectEquivocatorSlashed.js";
import { expectSameJudgements } from "./expectSameJudgements.js";
import { type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceOf, deployIsFinal, deployTo, transferBy } from "./networkDeploys.js";

/** How long an f1r3node network is tried, and what is done to it. */
export interface F1r3nodeNetworkTrial {
  /** Final at its end. */
  readonly blocks: number;
  /** The number of kills of nodes by turns, at random moments. */
  readonly kills: number;
  /** Whether a wallet's key becomes a validator, and goes again. */
  readonly bonds: boolean;
  /** Whether a fourth validator, after half of the kills, makes two blocks of one number, and is slashed. */
  readonly equivocates: boolean;
}

const rhythmMs = 1_000;
/** So far behind the highest a node may be that is given programs. */
const heightsBehind = 10;
const stake = 500n;
/** All write to it, so that blocks side by side contest it. */
const cell = "newer network";

/**
 * Validators of f1r3node that make blocks side by side, contest a cell and move money, while nodes are killed
 * and come back: all agree on the final chain and its states, on every verdict and floor, and no money is made or lost.
 *
 * @spec 61 §0
 */
export async function expectF1r3nodeNetwork(trial: F1r3nodeNetworkTrial): Promise<void> {
  const { blocks, kills, bonds, equivocates } = trial;
  const epochLength = equivocates ? 120 : 20;
  const settings = { validators: equivocates ? 4 : 3, wallets: 10, rhythmMs, epochLength, quarantineLength: 10 };
  const slashing = { "casper.slash-without-confirmation": equivocates };
  await using network = await NetworkProcesses.start({ ...settings, dialect: "f1r3node" }, slashing);
  await network.finalizes(network.names, 2);
  const slashedBefore = await slashedMoney(network);
  const { wallets } = network;
  const [payers, receivers, contesters] = [wallets.slice(0, 3), wallets.slice(3, 6), wallets.slice(6, 9)];
  const owner = wallets[9]!;
  const offender = equivocates ? "validator4" : undefined;
  const names = network.names.filter((name) => name !== offender);
  const validators = network.validators.filter((name) => name !== offender);
  const moved: string[][] = receivers.map(() => []);
  let contested = 0;
  const act = async () => {
    for (const [at, name] of validators.entries()) {
      moved[at]!.push(await transferBy(network, name, { from: payers[at]!, to: receivers[at]!, amount: 100n }));
      // Each from a wallet of its own: a rejected deploy takes with it the later ones of its wallet.
      await deployTo(network, name, contesters[at]!, contest(contested));
      contested += 1;
    }
  };
  await act();
  if (bonds) await bondAndLeave(network, owner);
  for (let kill = 0; kill < kills; kill += 1) {
    if (offender !== undefined && kill === kills >> 1) {
      // The evidence of an equivocation holds for its own epoch alone (61 §15.2).
      await network.until("an epoch is young", async () => {
        return (await network.heights("observer"))!.height % epochLength < epochLength / 4;
      });
      await equivocate(network, offender, 2);
      await losesStake(network, offender);
    }
    const name = names[kill % names.length]!;
    await sleep(randomInt(2 * rhythmMs));
    const { finalized: before } = (await network.heights(name)) ?? { finalized: 0 };
    await network.kill(name);
    await sleep(randomInt(3 * rhythmMs));
    network.restart(name);
    await network.finalizes([name], before);
    // A program that is given to a validator far behind has expired by the time that it is at the tip.
    await network.until(`${name} is at the tip`, async () => {
      const all = await Promise.all(names.map((one) => network.heights(one)));
      const heights = all.map((one) => one?.height ?? 0);
      return (await network.heights(name))!.height + heightsBehind >= Math.max(...heights);
    });
    await network.until("programs are taken", async () => {
      await act();
      return true;
    });
    await network.finalizes(names, before + 2);
  }
  // Ours choose parents on which no deploy is lost (61 §13.7 R2).
  for (const id of moved.flat()) await deployIsFinal(network, "observer", id);
  await network.finalizes(names, blocks);
  for (const [at, wallet] of receivers.entries())
    expect((await balanceOf(network, wallet)) - wallet.balance).toBe(100n * BigInt(moved[at]!.length));
  expect((await slashedMoney(network)) - slashedBefore).toBe(equivocates ? genesisStake : 0n);
  await reportsTransfer(network, payers[0]!, receivers[0]!);
  const equivocator = offender === undefined ? undefined : network.validatorKey(offender);
  const { blocks: chain } = await expectAgreement(network, names, equivocator);
  const parents = Math.max(...chain.map(({ parentsHashList }) => parentsHashList.length));
  expect(parents, "blocks were merged").toBeGreaterThan(1);
  const same = await expectSameJudgements(network, names);
  expect(same.blocks).toBeGreaterThanOrEqual(blocks);
  expect(same.floors, "blocks with a floor that was compared").toBeGreaterThan(same.blocks / 2);
  // All blocks of an equivocator may be valid in the end (61 §15.5).
  if (!equivocates) expect(same.invalid).toBe(0);
  console.log(
    `${chain.length} final blocks, ${moved.flat().length} transfers, with up to ${parents} parents; compared: ${JSON.stringify(same)}`,
  );
}

/**
 * Checks that an observer sends event subscribers what a transfer moved, and how the node started.
 *
 * @spec 50 §10.6
 */
async function reportsTransfer(network: NetworkProcesses, from: TestWallet, to: TestWallet): Promise<void> {
  await using client = await WebSocketClient.connect(network.node("observer").plan.ports.http, "/ws/events");
  const amount = 7n;
  const id = await transferBy(network, network.validators[0]!, { from, to, amount });
  await deployIsFinal(network, "observer", id);
  const payloads = (event: string) => client.messages.filter((message) => message["event"] === event).map(payloadOf);
  const deploys = () => payloads("transfers-available").flatMap(({ deploys: some }) => some ?? []);
  await client.until(() => deploys().some((deploy) => deploy["deploy-id"] === id));
  const moved = { "from-addr": from.address, "to-addr": to.address, amount: Number(amount), success: true };
  expect(deploys().find((deploy) => deploy["deploy-id"] === id)?.transfers).toEqual([moved]);
  expect(payloads("node-started")).toEqual([{ address: expect.stringMatching(/^rnode:/) }]);
  expect(payloads("entered-running-state")).toHaveLength(1);
}

interface ReportedPayload {
  readonly deploys?: readonly { readonly "deploy-id": string; readonly transfers: readonly object[] }[];
}

function payloadOf({ payload }: ReceivedEvent): ReportedPayload {
  return payload as ReportedPayload;
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
  const bond = await deployTo(network, validator!, owner, bondWithResultTerm(stake, network.dialect));
  await deployIsFinal(network, "observer", bond);
  await network.until("the key is bonded", isBonded);
  const unbond = await deployTo(network, validator!, owner, unbondWithResultTerm(network.dialect));
  await deployIsFinal(network, "observer", unbond);
  await network.until("the key has left", async () => !(await isBonded()));
}
