// Covers: chain, node, sync
// A joiner is killed at more moments than in usual runs, and receives more lies.
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, F1r3nodeTestNetwork } from "../testing/F1r3nodeTestNetwork.js";
import "./f1r3nodeNetwork.recorded.process.test.js";

describe("an f1r3node network, over real sockets", () => {
  let network: F1r3nodeTestNetwork;

  beforeAll(async () => {
    network = await F1r3nodeTestNetwork.load();
  });

  test("entries that do not fit the states are refused, and made again", async () => {
    const other = network.blocks.at(-1)!;
    await using server = await network.serve({
      lies: ({ entries }) => ({ entries: { ...entries!, find: () => entries!.find(other) } }),
    });
    await using node = await network.join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "entryRefused").length).toBeGreaterThan(0);
    const [taken] = eventsOf(node, "entriesTaken");
    expect(taken!.made).toBeGreaterThan(0);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("floors and entries that no peer gives are derived", async () => {
    await using server = await network.serve({ lies: () => ({ floors: undefined, entries: undefined }) });
    const timers = { after: (ms: number, action: () => void) => afterSooner(ms, action), yieldNow: async () => {} };
    await using node = await network.join(server, { sync: { timers } });
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "entriesTaken")).toMatchObject([{ given: 0, lacking: 0 }]);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("leaves that are sent as others than they are are refused, and asked for again", async () => {
    let lies = 1;
    await using server = await network.serve({
      lies: ({ stateExport }) => ({
        stateExport: {
          async exportPage(startPath, skip, take) {
            const page = await stateExport!.exportPage(startPath, skip, take);
            if (page === undefined || lies-- <= 0) return page;
            const dataItems = page.dataItems.map(({ key, value }) => ({ key, value: otherKind(value) }));
            return { ...page, dataItems };
          },
        },
      }),
    });
    await using node = await network.join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "statePageRefused")).toMatchObject([
      { reason: expect.stringContaining("A leaf does not hold what its first bytes say") },
    ]);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });
});

/** Makes a leaf with the same hash that states another kind. */
function otherKind(value: Uint8Array): Uint8Array {
  const changed = value.slice();
  changed[0] = (value[0]! + 1) % 3;
  return changed;
}

/** Timers of ten seconds run after a tenth of one. */
function afterSooner(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms === 10_000 ? 100 : ms);
  return () => clearTimeout(timer);
}
