import { randomInt } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { chainsDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { checkBothBeginnings } from "../testing/checkBothBeginnings.js";
import { RecordedNetwork, untilSynced } from "../testing/recordedNetwork.js";

const isMissing = chainsDirectory() === undefined;
const kills = Number(process.env["VEDETTE_KILLS"] ?? 100);

describe.skipIf(isMissing)("processes over TLS (skipped: ../shared is not there)", () => {
  for (const chain of ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"]) {
    test(`an observer follows ${chain} in both ways of beginning`, () => checkBothBeginnings(chain));
  }

  test(`${kills} kills at random moments of a sync: each time it goes on, and the end is the same`, async () => {
    await using network = new RecordedNetwork("solo");
    const server = await network.serve();
    let killed = 0;
    let rounds = 0;
    while (killed < kills) {
      const beginning = rounds % 3 === 2 ? "importState" : "replayAll";
      const name = `killed-${rounds}`;
      rounds += 1;
      for (let isSynced = false; !isSynced; ) {
        const observer = await network.observer(beginning, name);
        const pauseMs = killed < kills ? randomInt(300, 2_500) : Number.POSITIVE_INFINITY;
        isSynced = await syncedWithin(observer, server, pauseMs);
        if (!isSynced) {
          await observer.kill();
          killed += 1;
        } else {
          expect(await observer.get("/last-finalized-block")).toBe(await server.get("/last-finalized-block"));
          await observer.stop();
        }
      }
      rmSync(join(network.folder, name), { recursive: true });
    }
    console.log(`${killed} kills in ${rounds} synchronizations`);
  });
});

async function syncedWithin(
  observer: Parameters<typeof untilSynced>[0],
  server: Parameters<typeof untilSynced>[1],
  milliseconds: number,
): Promise<boolean> {
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await untilSynced(observer, server, 300_000);
    return true;
  }
  const synced = untilSynced(observer, server, 300_000).then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds));
  return Promise.race([synced, late]);
}
