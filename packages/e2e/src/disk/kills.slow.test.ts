import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fastFolder, seedOfToday } from "@vedette/testing";
import { expect, test } from "vitest";
import { diskStages } from "./diskWork.js";
import { type KilledStage, killStage, longChainStages } from "./KilledStage.js";
import { makeDiskWorld } from "./makeDiskWorld.js";

/** A hundred more are made by `observer.slow.test.ts` amid synchronizations over sockets. */
const kills = Number(process.env["VEDETTE_STAGE_KILLS"] ?? 180);
const stages: readonly KilledStage[] = [...diskStages, ...longChainStages];
/** A life took seven seconds, three at a time, on two cores under a load of 30. */
const mostMs = 3 * 3_600_000;

test(
  `${kills} kills amid each of ${stages.join(", ")}: nothing promised is lost, and the end is the same`,
  async () => {
    const folder = mkdtempSync(join(fastFolder, "vedette-kills-"));
    const seed = seedOfToday();
    const waiting = [...stages];
    try {
      const world = await makeDiskWorld();
      // Several at a time: much of a short life is waiting.
      const lane = async () => {
        for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
          const done = await killStage(folder, stage, world, { kills, seed });
          process.stdout.write(`${stage}: ${done.kills} kills, ${done.ends} times to the end, seed ${seed}\n`);
          expect(done.kills).toBe(kills);
          expect(done.ends).toBeGreaterThan(0);
        }
      };
      await Promise.all([lane(), lane(), lane()]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
  mostMs,
);
