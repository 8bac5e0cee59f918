import {
  balanceTerm,
  buildDeploy,
  deployKeyOf,
  reportedTransferTerm,
  validAfterLatest,
  waitForFinalization,
} from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { TestWallet } from "@vedette/devnet";
import { type Deploy, type DeployKey, signDeploy } from "@vedette/protocol";
import type { NetworkProcesses } from "./NetworkProcesses.js";

const phloLimit = 1_000_000n;
let lastTimestamp = 0;

/** Hands a program to a node, signed by a wallet. @returns the deploy's id */
export async function deployTo(
  network: NetworkProcesses,
  name: string,
  from: TestWallet,
  term: string,
): Promise<string> {
  using client = network.client(name);
  const { blockNumber } = await client.latestBlock();
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  const request = {
    term,
    timestamp: BigInt(lastTimestamp),
    validAfterBlockNumber: validAfterLatest(blockNumber),
    phloLimit,
  };
  return await client.deploy(buildDeploy(request, deployKeyOf(fromHex(from.privateKey))));
}

/** A deploy with any content, rightly signed, also such as no honest user makes. */
export function signedBy(key: DeployKey, change: Partial<Deploy>): Deploy {
  const usual = { term: "Nil", timestamp: BigInt(Date.now()), phloPrice: 1n, phloLimit: 100_000n, shardId: "root" };
  return signDeploy({ ...usual, validAfterBlockNumber: 0n, ...change }, key);
}

/** Hands a transfer to a node. @returns the deploy's id */
export function transferBy(
  network: NetworkProcesses,
  name: string,
  { from, to, amount }: { from: TestWallet; to: TestWallet; amount: bigint },
): Promise<string> {
  return deployTo(network, name, from, reportedTransferTerm(from.address, to.address, amount));
}

/** Waits until a node knows that a deploy is final. @throws {ClientError} when it does not become so in time */
export async function deployIsFinal(network: NetworkProcesses, name: string, id: string, within: number) {
  using client = network.client(name);
  return await waitForFinalization(client, fromHex(id), { timeoutMs: within, pollMs: 300 });
}

/** The balance of a wallet in the observer's last finalized state. */
export function balanceOf(network: NetworkProcesses, { address }: TestWallet): Promise<bigint> {
  return balanceIn(network, balanceTerm(address));
}

/** The number that a program answers on the observer's last finalized state. */
export async function balanceIn(network: NetworkProcesses, term: string): Promise<bigint> {
  using client = network.client("observer");
  const { data } = await client.explore(term);
  const expr = data[0]?.exprs[0];
  if (expr?.kind !== "GInt") throw new Error("no balance is told");
  return BigInt(expr.value);
}
