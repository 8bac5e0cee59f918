import { cpSync, renameSync, rmSync } from "node:fs";
import { type NetworkDialect, systemNames } from "@vedette/client";
import { expect } from "vitest";
import { type ListedBlock, NetworkProcesses } from "./NetworkProcesses.js";
import { expectAgreement } from "./networkChecks.js";
import { balanceIn, deployTo } from "./networkDeploys.js";

/** The stake that was taken lies in this vault. @spec 41 §6.9.3 */
const coopBalance = (pos: string): string => `new return, vault, rl(\`rho:registry:lookup\`), pos in {
  rl!(\`${pos}\`, *pos) |
  for (@(_, PoS) <- pos) {
    @PoS!("getCoopVault", *vault) | for (@(_, _, plain) <- vault) { @plain!("balance", *return) }
  }
}`;

/** How validators judge, and what comes of it. */
export interface EquivocatorOptions {
  readonly judgeBy: "evidence" | "arrival";
  readonly dialect?: NetworkDialect;
  /** Blocks that the copy makes beyond those that were there. */
  readonly further: number;
  /** Whether the equivocator loses its stake. */
  readonly slashes: boolean;
}

/** A validator with an older copy of its data equivocates; the others go on, and slash it where they must. */
export async function expectEquivocatorSlashed(options: EquivocatorOptions): Promise<void> {
  const { judgeBy, further, slashes, dialect = "rnode" } = options;
  const settings = { validators: 3, rhythmMs: 1_000, judgeBy, dialect };
  await using network = await NetworkProcesses.start(settings, { "casper.slash-without-confirmation": slashes });
  const offender = "validator3";
  const key = network.validatorKey(offender);
  const others = network.names.filter((name) => name !== offender);
  await network.finalizes(network.names, 3);
  const before = await slashedMoney(network);
  await equivocate(network, offender, further);
  if (slashes) await losesStake(network, offender);
  const { finalized } = (await network.heights("observer"))!;
  await network.finalizes(others, finalized + 5);
  expect(await hasStake(network, key)).toBe(!slashes);
  expect((await slashedMoney(network)) - before).toBe(slashes ? genesisStake : 0n);
  // By f1r3node's rules both of two blocks made at once may be valid (61 §15.5).
  await expectAgreement(network, others, judgeBy === "evidence" || dialect === "f1r3node" ? key : undefined);
}

/** The stake of validators from the first block on. */
export const genesisStake = 1_000n;

/**
 * Resets a validator's data to some blocks ago and lets it make other blocks with the same sequence numbers, which the
 * others then receive.
 *
 * @param further blocks that it makes beyond those that were there
 */
export async function equivocate(network: NetworkProcesses, offender: string, further: number): Promise<void> {
  const [owner] = network.wallets;
  const key = network.validatorKey(offender);
  const others = network.names.filter((name) => name !== offender);
  const { directory } = network.node(offender).plan;
  // A validator without a block of its key makes none before it has a peer, and the copy will have none.
  await network.until("the validator has made a block", async () => {
    return (await ownHighest(network, offender, key)) > 0;
  });
  await network.stop(offender);
  const copy = `${directory}-copy`;
  cpSync(directory, copy, { recursive: true });
  const highest = await ownHighest(network, "observer", key);

  network.restart(offender);
  await network.until("the others have a block that the copy lacks", async () => {
    return (await ownHighest(network, "observer", key)) > highest + 1;
  });
  await network.stop(offender);
  const last = Math.max(...(await Promise.all(others.map((name) => ownHighest(network, name, key)))));

  // By itself, with a program to put into each, the copy makes blocks with sequence numbers that were there, and more.
  rmSync(directory, { recursive: true });
  renameSync(copy, directory);
  network.configure(offender, { "protocol-server.network-id": "elsewhere", "casper.heartbeat.enabled": true });
  network.restart(offender);
  for (let wanted = highest + 1; wanted <= last + further; wanted++) {
    await network.until("the copy takes a program", async () => {
      await deployTo(network, offender, owner!, `@${wanted}!(1)`);
      return true;
    });
    // Where it was stopped amid blocks, it first waits two minutes for what it lacks of them.
    await network.until("the copy makes a block", async () => {
      return (await ownHighest(network, offender, key)) >= wanted;
    });
  }
  await network.stop(offender);

  // Back among the others it is silent, since it received the first blocks; a starting node requests its newest block.
  network.configure(offender, {});
  network.restart(offender);
  // By f1r3node's rules the first of them that it receives is invalid for it, and so is what builds on that.
  if (network.dialect === "rnode")
    await network.until("the validator reports its key's other blocks", async () => {
      return network.log(offender, 10_000).includes("was signed with this node's key, but not by this node");
    });
  else
    await network.until("the validator has peers", async () => {
      return ((await network.get(offender, "/api/status")) as { readonly peers: number }).peers > 0;
    });
  await network.stop("bootstrap");
  network.restart("bootstrap");
}

/** Waits until a final block shows that a validator has no stake any more. */
export async function losesStake(network: NetworkProcesses, offender: string): Promise<void> {
  const key = network.validatorKey(offender);
  const what = "the validator has no stake";
  await network.until(what, async () => !(await hasStake(network, key)));
}

async function hasStake(network: NetworkProcesses, key: string): Promise<boolean> {
  const { blockInfo } = (await network.get("observer", "/api/last-finalized-block")) as { blockInfo: ListedBlock };
  return blockInfo.bonds.some(({ validator, stake }) => validator === key && stake > 0);
}

/** The money of those that were slashed. */
export function slashedMoney(network: NetworkProcesses): Promise<bigint> {
  return balanceIn(network, coopBalance(systemNames[network.dialect].proofOfStake));
}

/** The highest sequence number of a validator's blocks that a node has. */
async function ownHighest(network: NetworkProcesses, name: string, key: string): Promise<number> {
  const { height } = (await network.heights(name)) ?? { height: 0 };
  const blocks = await network.blocks(name, Math.max(0, height - 40), height);
  return Math.max(-1, ...blocks.filter(({ sender }) => sender === key).map(({ seqNum }) => seqNum));
}
