import { newerChain } from "@vedette/chain/testing";
import type { Block } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import { usualCases } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { FloorDisk, FloorNode, type FloorNodeOptions } from "../testing/FloorNode.js";

const recorded = newerChain("trio-r");
const blocks: readonly Block[] = (recorded ?? []).map(({ block }) => block);

const eventsOf = <Type extends SyncEvent["type"]>(node: FloorNode, type: Type) =>
  node.events.filter((event): event is Extract<SyncEvent, { type: Type }> => event.type === type);

describe(`a network of the newer node, over real sockets`, () => {
  const disk = new FloorDisk();

  beforeAll(async () => {
    await (await new FloorNode({ disk }).load(blocks))[Symbol.asyncDispose]();
  });

  const serve = (options: FloorNodeOptions = {}) => new FloorNode({ disk, ...options }).start();
  const join = (server: FloorNode, { sync, ...options }: FloorNodeOptions = {}) =>
    new FloorNode({ ...options, sync: { bootstrap: server.peer, ...sync } }).start();

  test("a joiner that replays from genesis has the same blocks, floors, states and entries", async () => {
    await using server = await serve();
    await using node = await join(server, { sync: { beginning: "replayAll" } });
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
    expect(node.chain.dag.lastFinalized()!.hash).toEqual(server.chain.dag.lastFinalized()!.hash);
  });

  test("a joiner that begins at the last finalized state has them too, from its horizon on", async () => {
    await using server = await serve();
    await using node = await join(server);
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
    expect(eventsOf(node, "floorsTaken")).toMatchObject([{ floors: 16, trusted: 0 }]);
    expect(eventsOf(node, "entriesTaken")).toMatchObject([{ made: 0, lacking: 0 }]);
    expect(eventsOf(node, "blockValidated").every(({ status }) => status === "Valid")).toBe(true);
  });

  test("a joiner without a horizon fetches and makes what merges need when they need it", async () => {
    await using server = await serve();
    await using node = await join(server, { depths: { parentDepth: 0n, depthBuffer: 0n, lifespan: 50n } });
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    const { number } = node.engine.status().approved!;
    expect(await node.blockFacts(number + 1n)).toEqual(await server.blockFacts(number + 1n));
    expect(eventsOf(node, "blockValidated").every(({ status }) => status === "Valid")).toBe(true);
  });

  // At each of these it is killed in newerNetwork.long.test.ts.
  const moments = [
    ["joinBlockReceived", 5],
    ["statePageImported", 2],
    ["horizonWanted", 1],
    ["floorsTaken", 1],
    ["statePageImported", 12],
    ["entriesTaken", 1],
    ["enteredRunning", 1],
  ] as const;

  test.each(
    usualCases([
      ["at seven moments", moments],
      ["at three moments", [moments[1], moments[3], moments[5]]],
    ] as const),
  )("a joiner goes on after being killed again and again: %s", async (_, chosen) => {
    await using server = await serve();
    const ownDisk = new FloorDisk();
    for (const [type, enough] of chosen) {
      await using node = await join(server, { disk: ownDisk });
      await node.until(() => eventsOf(node, type).length >= enough || node.isAt(server));
    }
    await using node = await join(server, { disk: ownDisk });
    await node.until(() => node.isAt(server));
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("floors that contradict the blocks are left aside, a false seed too", async () => {
    const genesis = blocks[0]!;
    await using server = await serve({
      lies: ({ floors }) => ({
        floors: {
          ...floors!,
          find: (hash) => ({ floor: genesis.hash, frontier: floors!.find(hash)?.frontier ?? genesis.hash }),
          anchor: () => genesis.hash,
          seedOf: async () => ({
            floorHash: genesis.hash,
            floorNumber: 0n,
            frontierHash: genesis.hash,
            frontierNumber: 0n,
          }),
        },
      }),
    });
    await using node = await join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "floorsRefused").length).toBeGreaterThan(0);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("entries that do not fit the states are refused, and made again", async () => {
    const other = blocks.at(-1)!;
    await using server = await serve({
      lies: ({ entries }) => ({ entries: { ...entries!, find: () => entries!.find(other) } }),
    });
    await using node = await join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "entryRefused").length).toBeGreaterThan(0);
    const [taken] = eventsOf(node, "entriesTaken");
    expect(taken!.made).toBeGreaterThan(0);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("what nobody gives, neither floors nor entries, is found out", async () => {
    await using server = await serve({ lies: () => ({ floors: undefined, entries: undefined }) });
    const timers = { after: (ms: number, action: () => void) => afterSooner(ms, action), breath: async () => {} };
    await using node = await join(server, { sync: { timers } });
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "entriesTaken")).toMatchObject([{ given: 0, lacking: 0 }]);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("leaves that are sent as others than they are are refused, and asked for again", async () => {
    let lies = 1;
    await using server = await serve({
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
    await using node = await join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "statePageRefused")).toMatchObject([
      { reason: expect.stringContaining("A leaf does not hold what its first bytes say") },
    ]);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });
});

/** A leaf that has the same hash, and says that it is of another kind. */
function otherKind(value: Uint8Array): Uint8Array {
  const changed = value.slice();
  changed[0] = (value[0]! + 1) % 3;
  return changed;
}

/** What would come within ten seconds comes within a tenth of one. */
function afterSooner(ms: number, action: () => void): () => void {
  const timer = setTimeout(action, ms === 10_000 ? 100 : ms);
  return () => clearTimeout(timer);
}
