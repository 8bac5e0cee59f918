// Covers: node, store
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, SmallDisk, seedOfToday, whyNoSmallDisk } from "@vedette/testing";
import { expect, test } from "vitest";
import { NetworkProcesses } from "../network/NetworkProcesses.js";
import { expectAgreement } from "../network/networkChecks.js";
import { readinessOf, untilHeld, untilReady } from "../network/readiness.js";
import { fillStage } from "./CrashStage.js";
import { diskStages, f1r3nodeDiskStages } from "./diskWork.js";
import { makeDiskWorld } from "./makeDiskWorld.js";

const lowWaterBytes = 8_000_000;
const fills = Number(process.env["VEDETTE_LONG_STAGE_FILLS"] ?? 15);
const why = whyNoSmallDisk();
if (why !== undefined) process.stderr.write(`nodes are not tried on a full disk: ${why}\n`);

/** Returns the settings of a node with its data, and nothing else, on a small disk. */
function settingsFor({ path }: SmallDisk, mark: number) {
  const folder = join(path, "node");
  return {
    "storage.data-dir": folder,
    "storage.low-water-mark": mark,
    "tls.certificate-path": join(folder, "node.certificate.pem"),
    "tls.key-path": join(folder, "node.key.pem"),
  };
}

async function heightOf(network: NetworkProcesses, name: string): Promise<number> {
  return (await network.heights(name))?.height ?? -1;
}

test.skipIf(why !== undefined)(
  "an observer with a full disk stays and answers, also after a start, and goes on by itself",
  async () => {
    using disk = new SmallDisk(96 << 20);
    await using network = await NetworkProcesses.start({ validators: 1, wallets: 1, rhythmMs: 300 });
    await network.join("small", "observer", { more: settingsFor(disk, lowWaterBytes) });
    await network.finalizes(["small"], 2);
    await untilReady(network, "small");

    for (const left of [lowWaterBytes / 2 + 1_000_000, 1_000_000, 0]) {
      disk.fill(left);
      await untilHeld(network, "small", "diskFull");
      const { syncStatus } = await readinessOf(network, "small");
      expect(syncStatus.lastError).toBe(syncStatus.conditions[0]!.reason);
      expect(syncStatus.lastError).toContain("storage.low-water-mark");
      const height = await heightOf(network, "small");
      await network.finalizes(["validator1"], height + 3);
      expect(await heightOf(network, "small")).toBeLessThan(height + 3);
      expect(await network.blocks("small", height, height)).toHaveLength(1);
      if (left === 0) {
        await network.kill("small");
        network.restart("small");
        await untilHeld(network, "small", "diskFull");
        expect(await network.blocks("small", height, height)).toHaveLength(1);
      }
      disk.empty();
      await network.finalizes(["small"], height + 3);
      await untilReady(network, "small");
    }
    expect(network.log("small", 10_000)).toMatch(/diskFull: the disk has .* diskFull is over, after/s);
    await expectAgreement(network);
  },
);

test.skipIf(why !== undefined)(
  "a node that meets a full disk in the middle of a write stays, and goes on by itself",
  async () => {
    using disk = new SmallDisk(96 << 20);
    await using network = await NetworkProcesses.start({ validators: 1, wallets: 1, rhythmMs: 300 });
    // So low that nothing keeps a write from beginning.
    await network.join("small", "observer", { more: settingsFor(disk, 1) });
    await network.finalizes(["small"], 2);
    for (let round = 0; round < 3; round += 1) {
      disk.fill();
      await untilHeld(network, "small", "diskFull");
      const height = await heightOf(network, "small");
      await network.finalizes(["validator1"], height + 3);
      expect(await network.blocks("small", height, height)).toHaveLength(1);
      disk.empty();
      await network.finalizes(["small"], height + 3);
      await untilReady(network, "small");
    }
    await expectAgreement(network);
  },
);

test.skipIf(why !== undefined).each([
  ["rnode", diskStages],
  ["f1r3node", f1r3nodeDiskStages],
] as const)(
  `%s: a disk that is full ${fills} times amid each of %s loses nothing, and the end is the same`,
  async (dialect, stages) => {
    using disk = new SmallDisk(64 << 20);
    const folder = mkdtempSync(join(fastFolder, "vedette-fills-"));
    const seed = seedOfToday();
    try {
      const world = await makeDiskWorld(dialect);
      for (const stage of stages) {
        const done = await fillStage(folder, stage, world, { disk, count: fills, seed });
        process.stdout.write(`${stage} (${dialect}): full ${done.disturbed} times, ${done.ends} ends, seed ${seed}\n`);
        expect(done.disturbed).toBe(fills);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
