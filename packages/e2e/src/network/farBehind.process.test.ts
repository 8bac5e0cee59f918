import { join } from "node:path";
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

test("an observer that replays from genesis far behind its peers has on disk what it told of, wherever it is killed", async () => {
  const blocks = 420;
  await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
  const rules = ["--max-number-of-parents=1"];
  const server = await network.serveMade((dataDir) => makeData(dataDir, blocks, { nowMs: Date.now }), rules);
  const path = join(network.folder, "late");
  let heights = 0;
  for (const more of [40, 75, 1, 90]) {
    const node = await network.observer("replayAll", "late", rules);
    await node.line(new RegExp(`Block #${heights + more} \\(\\w+\\.\\.\\.\\) processing finished`), 60_000);
    await node.kill();
    const told = node.lines.flatMap((line) => Number(finished.exec(line)?.[1] ?? []));
    const found = await heightsIn(path);
    expect(found).toBeGreaterThan(Math.max(...told));
    heights = found;
  }
  const node = await network.observer("replayAll", "late", rules);
  await untilSynced(node, server, 120_000);
  await node.stop();
  expect(await heightsIn(path)).toBe(blocks + 1);
}, 300_000);
