import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeProcess } from "@vedette/cli/testing";
import { makeData } from "@vedette/node/testing";
import { chainsThatAreThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

interface Sync {
  readonly verifiedFrom: number | string | null;
  readonly history: { readonly phase: string; readonly target: number; readonly reason: string | null } | null;
}

const syncOf = async (node: NodeProcess) => JSON.parse(await node.get("/status")).syncStatus as Sync;

test.each([chainsThatAreThere("solo").at(-1)!])(
  "an observer that began at a state proves what lies before it, through kills, and its chain hears nothing of it (chain %s)",
  async (chain) => {
    await using network = new RecordedNetwork(chain);
    const server = await network.serve();
    const folder = join(network.folder, "late");
    mkdirSync(folder);
    writeFileSync(join(folder, "rnode.conf"), 'sync.verify-after = "0 seconds"\n');
    const first = await network.observer("importState", "late");
    await untilSynced(first, server);
    const { verifiedFrom, history } = await syncOf(first);
    if (history !== null) expect(Number(verifiedFrom)).toBe(Number(history.target) + 1);
    await first.line(/now it replays the blocks before it/);
    await first.kill();
    for (const line of [/are replayed; the rest follows|now it replays/, /HTTP API server started/]) {
      const node = await network.observer("importState", "late");
      await node.line(line);
      await node.kill();
    }
    const node = await network.observer("importState", "late");
    await node.line(/HTTP API server started/);
    await expect.poll(async () => Number((await syncOf(node)).verifiedFrom)).toBe(0);
    expect(await syncOf(node)).toMatchObject({ history: null });
    await untilSynced(node, server);
    // The events of the node's own chain begin with it.
    const blocks = JSON.parse(await node.get("/blocks/50")) as unknown[];
    expect(blocks).toEqual(JSON.parse(await server.get("/blocks/50")));
    await expect.poll(() => existsSync(join(folder, "proof"))).toBe(false);
  },
);

test("parts of a history are replayed side by side, through kills, on states that a peer gives", async () => {
  await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
  const rules = ["--max-number-of-parents=1"];
  const server = await network.serveMade((dataDir) => makeData(dataDir, 140, { nowMs: Date.now }), rules);
  const folder = join(network.folder, "late");
  mkdirSync(folder);
  writeFileSync(join(folder, "rnode.conf"), 'sync { verify-after = "0 seconds", parallel = 2 }\n');
  for (let kills = 0; kills < 3; kills += 1) {
    const node = await network.observer("importState", "late", rules);
    await node.line(/now it replays the blocks before it|are replayed; the rest follows/);
    await expect.poll(() => existsSync(join(folder, "proof", "segment-1"))).toBe(true);
    await node.kill();
  }
  const node = await network.observer("importState", "late", rules);
  await node.line(/All blocks since genesis are replayed/);
  expect(node.lines.filter((line) => line.includes("not replayed side by side"))).toEqual([]);
  expect(Number((await syncOf(node)).verifiedFrom)).toBe(0);
  await untilSynced(node, server);
});
