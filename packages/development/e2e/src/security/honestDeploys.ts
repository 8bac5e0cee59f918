import { deployKeyOf, validAfterLatest } from "@vedette/client";
import { NodeClient } from "@vedette/client/node";
import { patienceMs } from "@vedette/testing";
import { signedBy } from "../network/networkDeploys.js";

const phloLimit = 100_000_000n;
let lastTimestamp = 0;

/**
 * Deploys a program through a node's public gRPC port.
 *
 * @param privateKey of the deployer, hexadecimal
 * @returns the deploy's id
 */
export async function handIn(port: number, privateKey: string, term: string): Promise<string> {
  using client = new NodeClient({ host: "127.0.0.1", port, retries: 0, timeoutMs: patienceMs() });
  const validAfterBlockNumber = validAfterLatest((await client.latestBlock()).blockNumber);
  lastTimestamp = Math.max(Date.now(), lastTimestamp + 1);
  const change = { term, timestamp: BigInt(lastTimestamp), phloLimit, validAfterBlockNumber };
  return await client.deploy(signedBy(deployKeyOf(privateKey), change));
}

/** The block with a deploy, by a node's HTTP API. @throws Error while there is none */
export async function blockWith(port: number, id: string): Promise<{ blockHash: string; blockNumber: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/deploy/${id}`);
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { blockHash: string; blockNumber: number };
}

/** The newest block of a node. */
export async function newestOf(port: number): Promise<{ blockHash: string; blockNumber: number }> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/blocks/1`);
  const [newest] = (await answer.json()) as { blockHash: string; blockNumber: number }[];
  return newest!;
}
