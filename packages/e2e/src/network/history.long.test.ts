import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeProcess } from "@vedette/cli/testing";
import { makeData } from "@vedette/node/testing";
import { chainsThatAreThere, until } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const kills = Number(process.env["VEDETTE_LONG_HISTORY_KILLS"] ?? 15);

async function verifiedFrom(node: NodeProcess): Promise<number | string> {
  return JSON.parse(await node.get("/status")).syncStatus.verifiedFrom;
}

test.each([1, 2, 3])(
  `a history is proven in %i parts by a node that is killed ${kills} times amid it`,
  async (parts) => {
    await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
    const rules = ["--max-number-of-parents=1"];
    const server = await network.serveMade((dataDir) => makeData(dataDir, 300, { nowMs: Date.now }), rules);
    const folder = join(network.folder, "late");
    mkdirSync(folder);
    writeFileSync(join(folder, "rnode.conf"), `sync { verify-after = "0 seconds", parallel = ${parts} }\n`);
    const begun = /now it replays the blocks before it|are replayed; the rest follows/;
    const first = await network.observer("importState", "late", rules);
    await first.line(begun);
    await first.kill();
    let isProven = false;
    for (let kill = 0; kill < kills && !isProven; kill += 1) {
      const node = await network.observer("importState", "late", rules);
      // Who has proven all in the moment of a kill does not begin again.
      const isProvenAlready = async () => Number(await verifiedFrom(node).catch(() => undefined)) === 0;
      const hasBegun = async () => node.lines.some((line) => begun.test(line)) || (await isProvenAlready());
      await until("the node to begin with its history", hasBegun, { everyMs: 50, state: () => node.lines.join("\n") });
      await sleep((kill % 10) * 100);
      await node.kill();
      isProven = node.lines.some((line) => line.includes("All blocks since genesis are replayed"));
    }
    const node = await network.observer("importState", "late", rules);
    await untilSynced(node, server);
    await expect.poll(async () => Number(await verifiedFrom(node))).toBe(0);
    await expect.poll(() => existsSync(join(folder, "proof"))).toBe(false);
    const heard = node.lines.filter((line) => /does not follow|broken off|"level":"error"/.test(line));
    expect(heard).toEqual([]);
  },
);
