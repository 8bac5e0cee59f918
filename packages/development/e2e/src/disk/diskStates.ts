import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { fastFolder, type PowerCut, placeDisk, powerCuts, recordProgram } from "@vedette/testing";
import { DiskNode } from "./DiskNode.js";
import { checkPromises, checkSame, checkWhole, contentOf } from "./diskCheck.js";
import { type DiskStage, work } from "./diskWork.js";
import { type DiskFixture, writeDiskWorld } from "./diskWorld.js";

const program = fileURLToPath(new URL("../../dist/disk/diskChild.js", import.meta.url));

/** Disks of a stage, and how often on average one was synced for a block. */
export interface CheckedDisks {
  readonly disks: number;
  readonly steps: number;
  readonly syncs: number;
}

/**
 * Starts a node on `count` disks that a loss of power leaves amid a stage's work: each must have all promised data, be
 * consistent, and reach the same end as an undisturbed run.
 *
 * @throws TypeError which names the first that does not, with its seed
 */
export async function checkDisks(
  stage: DiskStage,
  world: DiskFixture,
  count: number,
  seed: number,
): Promise<CheckedDisks> {
  const folder = mkdtempSync(join(fastFolder, "vedette-disks-"));
  try {
    const worldPath = join(folder, "world.json");
    writeDiskWorld(worldPath, world);
    const record = recordProgram(program, [stage, worldPath]);
    const expected = await undisturbed(join(folder, "undisturbed"), stage, world);
    const disk = join(folder, "disk");
    for (const cut of powerCuts(record, count, seed)) {
      placeDisk(disk, cut.content);
      await checkDisk(disk, { stage, world, cut, expected }).catch((cause: unknown) => {
        const place = `after ${cut.at} of ${record.steps.length} steps of ${stage}`;
        throw new TypeError(`the disk of seed ${cut.seed}, ${place}: ${cause}`, { cause });
      });
    }
    const isSync = ({ kind }: { readonly kind: string }) => kind === "sync";
    return { disks: count, steps: record.steps.length, syncs: record.steps.filter(isSync).length };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the content of the tables of an undisturbed run. */
export async function undisturbed(path: string, stage: DiskStage, world: DiskFixture): Promise<Record<string, string>> {
  await using node = await DiskNode.open(join(path, "data"), world.dialect);
  await work(stage, node, world, () => {});
  checkWhole(node);
  return contentOf(node);
}

interface Disk {
  readonly stage: DiskStage;
  readonly world: DiskFixture;
  readonly cut: PowerCut;
  readonly expected: Record<string, string>;
}

async function checkDisk(path: string, { stage, world, cut, expected }: Disk): Promise<void> {
  await using node = await DiskNode.open(join(path, "data"), world.dialect);
  checkPromises(node, cut.promised);
  checkWhole(node);
  await work(stage, node, world, () => {});
  // Which is whole.
  checkSame(contentOf(node), expected);
}
