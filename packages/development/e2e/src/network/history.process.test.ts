import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { NodeProcess } from "@vedette/cli/testing";
import { makeData } from "@vedette/node/testing";
import { chainsThatAreThere, usualCases } from "@vedette/testing";
import { expect, test } from "vitest";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";
import { untilHistoryBegins, verifiedFrom } from "./untilHistoryBegins.js";

interface Sync {
  readonly verifiedFrom: number | string | null;
  readonly history: { readonly phase: string; readonly target: number; readonly reason: string | null } | null;
}

const syncOf = async (node: NodeProcess) => JSON.parse(await node.get("/status")).syncStatus as Sync;

// A recorded chain is proven in everyCase.long.test.ts.
test.each(usualCases(["recorded", "made"]))(
  "an observer that began at a state verifies the history before it, through kills, and its chain sends no events for it (%s)",
  async (kind) => {
    await using network = new RecordedNetwork(chainsThatAreThere("solo").at(-1)!);
    const rules = kind === "made" ? ["--max-number-of-parents=1"] : [];
    const make = (dataDir: string) => makeData(dataDir, 120, { nowMs: Date.now });
    const server = kind === "made" ? await network.serveMade(make, rules) : await network.serve();
    const folder = join(network.folder, "late");
    mkdirSync(folder);
    writeFileSync(join(folder, "rnode.conf"), 'sync.verify-delay = "0 seconds"\n');
    const first = await network.observer("importState", "late", rules);
    await untilSynced(first, server);
    const { verifiedFrom: from, history } = await syncOf(first);
    if (history !== null) expect(Number(from)).toBe(Number(history.target) + 1);
    await untilHistoryBegins(first);
    await first.kill();
    const second = await network.observer("importState", "late", rules);
    await untilHistoryBegins(second);
    await second.kill();
    const third = await network.observer("importState", "late", rules);
    await third.line(/HTTP API server started/);
    await third.kill();
    const node = await network.observer("importState", "late", rules);
    await node.line(/HTTP API server started/);
    await expect.poll(() => verifiedFrom(node)).toBe(0);
    expect(await syncOf(node)).toMatchObject({ history: null });
    await untilSynced(node, server);
    // The events of the node's own chain begin with it.
    const blocks = JSON.parse(await node.get("/blocks/50")) as unknown[];
    expect(blocks).toEqual(JSON.parse(await server.get("/blocks/50")));
    await expect.poll(() => existsSync(join(folder, "proof"))).toBe(false);
  },
);
