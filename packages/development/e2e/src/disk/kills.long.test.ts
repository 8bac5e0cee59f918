// Covers: chain, replication/snapshot, store, sync, tuplespace
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, seedOfToday } from "@vedette/testing";
import { expect, test } from "vitest";
import { killStage, longChainStages } from "./CrashStage.js";
import { diskStages, f1r3nodeDiskStages } from "./diskWork.js";
import { makeDiskWorld } from "./makeDiskWorld.js";

/** As many more in each dialect are made by `observer.long.test.ts` amid synchronizations over sockets. */
const kills = Number(process.env["VEDETTE_LONG_STAGE_KILLS"] ?? 30);
const stages = [
  ...[...diskStages, ...longChainStages].map((stage) => ({ stage, dialect: "rnode" as const })),
  ...f1r3nodeDiskStages.map((stage) => ({ stage, dialect: "f1r3node" as const })),
];

test(`${kills} kills amid each of ${stages.map(({ stage, dialect }) => `${stage} (${dialect})`).join(", ")}: no accepted deploy, block, sequence number or state is lost after kill -9, and the end is the same`, async () => {
  const folder = mkdtempSync(join(fastFolder, "vedette-kills-"));
  const seed = seedOfToday();
  const waiting = [...stages];
  try {
    const worlds = { rnode: await makeDiskWorld(), f1r3node: await makeDiskWorld("f1r3node") };
    // Several at a time: much of a short life is waiting.
    const lane = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { stage, dialect } = next;
        const done = await killStage(folder, stage, worlds[dialect], { count: kills, seed });
        process.stdout.write(
          `${stage} (${dialect}): ${done.disturbed} kills, ${done.ends} times to the end, seed ${seed}\n`,
        );
        expect(done.disturbed).toBe(kills);
        expect(done.ends).toBeGreaterThan(0);
      }
    };
    await Promise.all([lane(), lane(), lane()]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
