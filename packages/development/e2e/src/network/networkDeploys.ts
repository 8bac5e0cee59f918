import {
  balanceTerm,
  buildDeploy,
  deployKeyOf,
  transferWithResultTerm,
  validAfterLatest,
  waitForFinalization,
} from "@vedette/client";
import { fromHex } from "@vedette/crypto";
import type { TestWallet } from "@vedette/devtools/devnet";
import { errorText } from "@vedette/errors";
import { type Deploy, type DeployKey, signDeploy } from "@vedette/protocol";
import { patienceMs } from "@vedette/testing";
import type { NetworkProcesses } from "./NetworkProcesses.js";

const phloLimit = 1_000_000n;
/** Characters of a node's answer about a deploy. */
const maxReported = 2_000;
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
  return deployTo(network, name, from, transferWithResultTerm(from.address, to.address, amount, network.dialect));
}

/**
 * Waits until a node knows that a deploy is final.
 *
 * @throws Error with what every node knows of the deploy, when it does not become so
 */
export async function deployIsFinal(network: NetworkProcesses, name: string, id: string) {
  using client = network.client(name);
  try {
    return await waitForFinalization(client, fromHex(id), { timeoutMs: patienceMs(), pollMs: 300 });
  } catch (error) {
    const found = await client.findDeploy(fromHex(id)).catch(errorText);
    const lines = [
      `${name} finds it in ${typeof found === "string" ? found : `#${found.blockNumber} ${found.blockHash}`}`,
    ];
    for (const one of network.names) {
      const fate = await network.get(one, `/v2/deploy/${id}`).then((json) => JSON.stringify(json), errorText);
      lines.push(`${one} at ${JSON.stringify(await network.heights(one))}: ${fate.slice(0, maxReported)}`);
    }
    throw new Error(`deploy ${id}: ${errorText(error)}\n${lines.join("\n")}`);
  }
}

/** The balance of a wallet in the observer's last finalized state. */
export function balanceOf(network: NetworkProcesses, { address }: TestWallet): Promise<bigint> {
  return balanceIn(network, balanceTerm(address, network.dialect));
}

/** The number that a program answers on the observer's last finalized state. */
export async function balanceIn(network: NetworkProcesses, term: string): Promise<bigint> {
  using client = network.client("observer");
  const { data } = await client.explore(term);
  const expr = data[0]?.exprs[0];
  if (expr?.kind !== "GInt") throw new Error("no balance is returned");
  return BigInt(expr.value);
}
