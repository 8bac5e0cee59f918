// Covers: node, replication/snapshot, sync
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { makeData } from "@vedette/node/testing";
import { chainsThatAreThere } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";
import { untilHistoryBegins, verifiedFrom } from "./untilHistoryBegins.js";

const kills = Number(process.env["VEDETTE_LONG_HISTORY_KILLS"] ?? 15);

test.each([1, 2, 3])(
  `a history is proven in %i parts by a node that is killed ${kills} times amid it`,
  async (parts) => {
    await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
    const rules = ["--max-number-of-parents=1"];
    const server = await network.serveMade((dataDir) => makeData(dataDir, 300, { nowMs: Date.now }), rules);
    const folder = join(network.folder, "late");
    mkdirSync(folder);
    writeFileSync(join(folder, "rnode.conf"), `sync { verify-after = "0 seconds", parallel = ${parts} }\n`);
    const first = await network.observer("importState", "late", rules);
    await untilHistoryBegins(first);
    await first.kill();
    let isProven = false;
    for (let kill = 0; kill < kills && !isProven; kill += 1) {
      const node = await network.observer("importState", "late", rules);
      await untilHistoryBegins(node);
      await sleep((kill % 10) * 100);
      await node.kill();
      isProven = node.lines.some((line) => line.includes("History verified since genesis"));
    }
    const node = await network.observer("importState", "late", rules);
    await untilSynced(node, server);
    await expect.poll(() => verifiedFrom(node)).toBe(0);
    await expect.poll(() => existsSync(join(folder, "proof"))).toBe(false);
    const reported = node.lines.filter((line) =>
      /History contradicts|verification interrupted|"level":"error"/.test(line),
    );
    expect(reported).toEqual([]);
  },
);
