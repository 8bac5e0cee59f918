// Covers: chain, node, store
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { freePorts, NodeProcess, program } from "@vedette/cli/testing";
import { toHex } from "@vedette/crypto";
import { testKey, userDeploy } from "@vedette/node/testing";
import type { Deploy } from "@vedette/protocol";
import { recordedDirectory, until } from "@vedette/testing";
import { expect, test } from "vitest";

const kills = 6;

interface ApiBlock {
  readonly blockNumber: number;
  readonly seqNum: number;
  readonly blockHash: string;
  readonly parentsHashList: readonly string[];
}

function requestOf({ deployer, signature, algorithm, ...data }: Deploy): string {
  const { term, timestamp, phloPrice, phloLimit, validAfterBlockNumber, shardId } = data;
  const numbers = [timestamp, phloPrice, phloLimit, validAfterBlockNumber].map(Number);
  const [at, price, limit, after] = numbers;
  return JSON.stringify({
    data: { term, timestamp: at, phloPrice: price, phloLimit: limit, validAfterBlockNumber: after, shardId },
    deployer: toHex(deployer),
    signature: toHex(signature),
    sigAlgorithm: algorithm,
  });
}

test(`a validator that is killed while it makes blocks (kill -9) goes on with its chain, and loses no accepted deploy`, async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-test-"));
  const dataDir = join(folder, "data");
  const keyFile = join(folder, "validator.key");
  writeFileSync(keyFile, toHex(testKey("v1").privateKey), { mode: 0o600 });
  const chain = join(recordedDirectory("chains"), "solo");
  await promisify(execFile)(process.execPath, [program, "replay", chain, "--data-dir", dataDir]);
  const args = [
    "--standalone",
    `--validator-private-key-path=${keyFile}`,
    "--heartbeat-enabled",
    "--heartbeat-check-interval=300ms",
    "--synchrony-constraint-threshold=0",
    "--max-number-of-parents=1",
    "--fault-tolerance-threshold=0",
    "--min-phlo-price=0",
  ];
  const taken: string[] = [];
  const start = async (): Promise<NodeProcess> => {
    const ports = await freePorts();
    const node = new NodeProcess({ dataDir, ports, networkId: "test", args });
    await node.line(/HTTP API server started/);
    return node;
  };
  const deploy = async (node: NodeProcess, index: number): Promise<void> => {
    const [{ blockNumber }] = JSON.parse(await node.get("/blocks/1")) as [ApiBlock];
    const one = userDeploy(`u${(index % 3) + 1}`, `@"kill ${index}"!(${index})`, {
      timestamp: BigInt(Date.now()),
      validAfterBlockNumber: BigInt(blockNumber - 1),
    });
    if ((await node.post("/api/deploy", requestOf(one))).includes("Success!")) taken.push(toHex(one.signature));
  };
  try {
    for (let kill = 0; kill < kills; kill += 1) {
      const node = await start();
      let killsAtMs = Number.POSITIVE_INFINITY;
      for (let index = 0; Date.now() < killsAtMs; index += 1) {
        await deploy(node, kill * 100 + index).catch(() => undefined);
        // At another moment after each first block.
        if (killsAtMs === Number.POSITIVE_INFINITY && node.lines.some((line) => line.includes("Block created")))
          killsAtMs = Date.now() + ((kill * 277) % 900);
        await sleep(150);
      }
      await node.kill();
    }
    const node = await start();
    for (const id of taken) {
      const isInBlock = async () => (await node.get(`/api/deploy/${id}`)).includes('"blockHash"');
      await until(`deploy ${id} to be in a block`, isInBlock, { state: () => node.lines.join("\n") });
    }
    const blocks = JSON.parse(await node.get("/blocks/50")) as ApiBlock[];
    const made = blocks.filter(({ blockNumber }) => blockNumber >= 49);
    expect(made.length).toBeGreaterThanOrEqual(kills);
    expect(new Set(blocks.map(({ seqNum }) => seqNum)).size).toBe(blocks.length);
    for (const [index, block] of blocks.slice(0, -1).entries())
      expect(block.parentsHashList).toEqual([blocks[index + 1]!.blockHash]);
    expect(taken.length).toBeGreaterThan(kills);
    // A deploy that takes too long on a slow machine is tried again, and logged.
    const lines = node.lines.filter((line) => !/Propose failed(: | with )InternalDeployError/.test(line));
    expect(lines.filter((line) => /error|refused|does not|Ignoring/i.test(line))).toEqual([]);
    expect(await node.stop()).toBe(143);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
