// Covers: network, node, sync
import { randomInt } from "node:crypto";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { balanceTerm } from "@vedette/client";
import { chainDirectory } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { checkBothBeginnings } from "./checkBothBeginnings.js";
import { RecordedNetwork, untilSynced } from "./recordedNetwork.js";

const kills = Number(process.env["VEDETTE_LONG_SYNC_KILLS"] ?? 50);

describe(`processes over TLS`, () => {
  for (const chain of ["solo", "trio", "merge", "equivocation-v1", "equivocation-v3b"]) {
    test(`an observer follows ${chain} in both ways of beginning`, () => checkBothBeginnings(chain));
  }

  killedSyncs("solo");
});

describe(`processes of f1r3node over TLS`, () => {
  killedSyncs("trio-r");
});

function killedSyncs(chain: string): void {
  test(`${kills} kills at random moments of a sync of ${chain}: each time it goes on, and the end is the same`, async () => {
    await using network = new RecordedNetwork(chain);
    const server = await network.serve();
    const { wallets } = JSON.parse(readFileSync(join(chainDirectory(chain), "network.json"), "utf8"));
    const isF1r3node = network.dialect.name === "f1r3node";
    const term = balanceTerm(wallets[0].address, network.dialect.name);
    // The full view also has what was moved, where that is known already.
    const last = `/last-finalized-block${isF1r3node ? "?view=summary" : ""}`;
    const readBalance = isF1r3node ? JSON.stringify({ term }) : term;
    const balance = await server.post("/explore-deploy", readBalance);
    expect(balance).toMatch(/"ExprInt":\{"data":\d+\}/);
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
        if (randomInt(4) > 0) await observer.line(/Peers: 1/);
        isSynced = await syncedWithin(observer, server, isLast ? Number.POSITIVE_INFINITY : randomInt(1_500));
        if (!isSynced) {
          await observer.kill();
          killed += 1;
        } else {
          expect(await observer.get(last)).toBe(await server.get(last));
          expect(await observer.post("/explore-deploy", readBalance)).toBe(balance);
          await observer.stop();
        }
      }
      rmSync(join(network.folder, name), { recursive: true });
    }
    process.stdout.write(`${chain}: ${killed} kills in ${rounds} synchronizations\n`);
  });
}

async function syncedWithin(
  observer: Parameters<typeof untilSynced>[0],
  server: Parameters<typeof untilSynced>[1],
  milliseconds: number,
): Promise<boolean> {
  if (milliseconds === Number.POSITIVE_INFINITY) {
    await untilSynced(observer, server);
    return true;
  }
  const synced = untilSynced(observer, server).then(
    () => true,
    () => false,
  );
  const late = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), milliseconds));
  return Promise.race([synced, late]);
}
