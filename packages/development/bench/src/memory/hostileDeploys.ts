import { setTimeout as sleep } from "node:timers/promises";
import { deployKeyOf, validAfterLatest } from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { TestWallet } from "@vedette/devtools/devnet";
import { NetworkProcesses, signedBy } from "@vedette/e2e";
import { hostileTerms } from "@vedette/executor/testing";
import type { Measurements } from "../Measurements.js";
import { MemoryPhases } from "./MemoryPhases.js";

const settings = { validators: 3, wallets: 4, rhythmMs: 2_000 } as const;
const phloLimit = 1_000_000_000n;
/** How long the network gets for the deploys that it can execute. */
const playedMs = 150_000;
const rounds = 2;
/** When no more are sent. */
const sentMs = 120_000;

/**
 * Measures the memory of each node of a network before, during and after deploys that one node plays and all replay.
 */
export async function benchNetworkMemory(measurements: Measurements, quietMs: number): Promise<void> {
  await using network = await NetworkProcesses.start(settings);
  await network.finalizes(network.names, 1);
  const watched = network.names.map((name) => {
    const pid = network.node(name).process.pid!;
    return new MemoryPhases(measurements, { name, pid, quietMs });
  });
  await Promise.all(watched.map((one) => one.begin()));
  const sent = await sendHostileDeploys(network);
  measurements.add("hostile deploys taken", sent, "deploys");
  await sleep(playedMs);
  for (const one of watched) one.endPhase("hostile deploys");
  await sleep(quietMs);
  for (const one of watched) {
    one.afterQuiet("hostile deploys");
    one.end();
    one[Symbol.dispose]();
  }
  const heights = await network.heights("observer");
  measurements.add("height of the observer in the end", heights?.height ?? 0, "blocks");
}

/** Each program by each wallet in turn, to each validator in turn. @returns how many were taken */
async function sendHostileDeploys(network: NetworkProcesses): Promise<number> {
  const terms = Object.values(hostileTerms());
  const giveUpMs = performance.now() + sentMs;
  let taken = 0;
  for (let index = 0; index < rounds * terms.length && performance.now() < giveUpMs; index += 1) {
    const wallet = network.wallets[index % network.wallets.length]!;
    const name = network.validators[index % network.validators.length]!;
    if (await sendHostileDeploy(network, name, { wallet, term: terms[index % terms.length]! })) taken += 1;
  }
  return taken;
}

/** @returns whether the node has taken it */
export async function sendHostileDeploy(
  network: NetworkProcesses,
  name: string,
  { wallet, term }: { readonly wallet: TestWallet; readonly term: string },
): Promise<boolean> {
  try {
    using client = network.client(name);
    const validAfterBlockNumber = validAfterLatest((await client.latestBlock()).blockNumber);
    await client.deploy(signedBy(deployKeyOf(fromHex(wallet.privateKey)), { term, phloLimit, validAfterBlockNumber }));
    return true;
  } catch {
    // A deploy that cannot be parsed is refused, and a validator at work may not answer in time.
    return false;
  }
}
