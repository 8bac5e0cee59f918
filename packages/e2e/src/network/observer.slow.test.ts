import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { chainsDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { checkBothBeginnings } from "./checkBothBeginnings.js";
import { balanceTerm, RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const isMissing = chainsDirectory() === undefined;
const kills = Number(process.env["VEDETTE_KILLS"] ?? 100);

describe.skipIf(isMissing)(`processes over TLS${isMissing ? " (skipped: ../shared is not there)" : ""}`, () => {
  for (const chain of ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"]) {
    test(`an observer follows ${chain} in both ways of beginning`, () => checkBothBeginnings(chain));
  }

  test(`${kills} kills at random moments of a sync: each time it goes on, and the end is the same`, async () => {
    await using network = new RecordedNetwork("solo");
    const server = await network.serve();
    const { wallets } = JSON.parse(readFileSync(join(chainsDirectory()!, "solo", "network.json"), "utf8"));
    const readBalance = balanceTerm(wallets[0].address);
    const balance = await server.post("/explore-deploy", readBalance);
    let killed = 0;
    let rounds = 0;
    while (killed < kills) {
      const beginning = rounds % 2 === 1 ? "importState" : "replayAll";
      const name = `killed-${rounds}`;
      rounds += 1;
      for (let isSynced = false; !isSynced; ) {
        const observer = await network.observer(beginning, name);
        const isLast = killed >= kills;
        // One in four is ended while it starts, the others at some moment after they have found their peer.
        if (randomInt(4) > 0) await observer.line(/Peers: 1/, 300_000);
        isSynced = await syncedWithin(observer, server, isLast ? Number.POSITIVE_INFINITY : randomInt(1_500));
        if (!isSynced) {
          await observer.kill();
          killed += 1;
        } else {
          expect(await observer.get("/last-finalized-block")).toBe(await server.get("/last-finalized-block"));
          expect(await observer.post("/explore-deploy", readBalance)).toBe(balance);
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
