import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "@vedette/cli/testing";
import { openOffline, verifyData } from "@vedette/node/data";
import { makeData } from "@vedette/node/testing";
import { chainsThatAreThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const finished = /Block #(\d+) \([0-9a-f]+\.\.\.\) processing finished/;
const { signal } = new AbortController();

/** Blocks that are on disk, all of them whole. */
async function heightsIn(path: string): Promise<number> {
  await using data = await openOffline(path, { isWritten: false, shard: "root" });
  expect((await verifyData(data, () => {}, signal)).problems).toEqual([]);
  return Number(data.dag.nextBlockNumber());
}

/** Longer than a node takes to write each block to disk after a read, so that readers meet groups. */
const betweenReadsMs = 400;

/** Reads the newest block, and the same block by its hash, until it is aborted. @returns the heights read */
async function read(node: NodeProcess, ending: AbortSignal): Promise<readonly number[]> {
  const heights: number[] = [];
  while (!ending.aborted) {
    try {
      const [newest] = JSON.parse(await node.get("/api/blocks/1")) as { blockNumber: number; blockHash: string }[];
      const { blockInfo } = JSON.parse(await node.get(`/api/block/${newest?.blockHash}`));
      expect(blockInfo.blockNumber).toBe(newest?.blockNumber);
      heights.push(blockInfo.blockNumber);
    } catch (error) {
      // It does not answer yet, or any more.
      if (!(error instanceof TypeError)) throw error;
    }
    await sleep(betweenReadsMs);
  }
  return heights;
}

test("an observer that replays from genesis far behind its peers has on disk what it reported, wherever it is killed", async () => {
  const blocks = 260;
  await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
  const rules = ["--max-number-of-parents=1"];
  const server = await network.serveMade((dataDir) => makeData(dataDir, blocks, { nowMs: Date.now }), rules);
  const path = join(network.folder, "late");
  let heights = 0;
  for (const more of [40, 60, 1]) {
    const node = await network.observer("replayAll", "late", rules);
    const ending = new AbortController();
    // One of its lives is without readers.
    const reading = more === 60 ? [] : read(node, ending.signal);
    await node.line(new RegExp(`Block #${heights + more} \\(\\w+\\.\\.\\.\\) processing finished`));
    await node.kill();
    const reported = node.lines.flatMap((line) => Number(finished.exec(line)?.[1] ?? []));
    ending.abort();
    reported.push(...(await reading));
    const found = await heightsIn(path);
    expect(found).toBeGreaterThan(Math.max(...reported));
    heights = found;
  }
  const node = await network.observer("replayAll", "late", rules);
  await untilSynced(node, server);
  await node.stop();
  expect(await heightsIn(path)).toBe(blocks + 1);
});
