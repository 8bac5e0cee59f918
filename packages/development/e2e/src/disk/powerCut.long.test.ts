// Covers: replication/snapshot, store, sync, tuplespace
import { seedOfToday, skipNote, whyNotRecorded } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { checkDisks } from "./diskStates.js";
import { diskStages, f1r3nodeDiskStages } from "./diskWork.js";
import type { DiskFixture } from "./diskWorld.js";
import { makeDiskWorld } from "./makeDiskWorld.js";

const why = whyNotRecorded();
const disks = Number(process.env["VEDETTE_LONG_DISKS"] ?? 100);

const networks = [
  ["a node", "rnode", diskStages],
  ["a node of the newer dialect", "f1r3node", f1r3nodeDiskStages],
] as const;

describe.skipIf(why !== undefined).each(networks)(
  `%s on the disks that losses of power leave${skipNote(why)}`,
  (_, dialect, stages) => {
    let world: DiskFixture;

    beforeAll(async () => {
      world = await makeDiskWorld(dialect);
    });

    for (const stage of stages)
      test(`amid ${stage}: ${disks} disks have what was promised, fit together, and go on to the same end`, async () => {
        const seed = seedOfToday();
        const { steps, syncs } = await checkDisks(stage, world, disks, seed);
        process.stdout.write(
          `${disks} disks amid ${stage} (${dialect}), seed ${seed}: ${steps} writes and syncs, of which ${syncs} syncs\n`,
        );
        expect(steps).toBeGreaterThan(100);
      });
  },
);
