import { usualCases } from "@vedette/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { eventsOf, F1r3nodeTestNetwork } from "../testing/F1r3nodeTestNetwork.js";
import { FloorDisk } from "../testing/F1r3nodeTestNode.js";

describe("an f1r3node network, over real sockets", () => {
  let network: F1r3nodeTestNetwork;

  beforeAll(async () => {
    network = await F1r3nodeTestNetwork.load();
  });

  test("a joiner that replays from genesis has the same blocks, floors, states and entries", async () => {
    await using server = await network.serve();
    await using node = await network.join(server, { sync: { beginning: "replayAll" } });
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
    expect(node.chain.dag.lastFinalized()!.hash).toEqual(server.chain.dag.lastFinalized()!.hash);
  });

  test("a joiner that begins at the last finalized state has them too, from its horizon on", async () => {
    await using server = await network.serve();
    await using node = await network.join(server);
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
    expect(eventsOf(node, "floorsTaken")).toMatchObject([{ floors: 16, trusted: 0 }]);
    expect(eventsOf(node, "entriesTaken")).toMatchObject([{ made: 0, lacking: 0 }]);
    expect(eventsOf(node, "blockValidated").every(({ status }) => status === "Valid")).toBe(true);
  });

  test("a joiner without a horizon fetches and makes what merges need when they need it", async () => {
    await using server = await network.serve();
    await using node = await network.join(server, { depths: { parentDepth: 0n, depthBuffer: 0n, lifespan: 50n } });
    await node.until(() => node.isAt(server));
    expect(node.hashes).toEqual(server.hashes);
    const { number } = node.engine.status().approved!;
    expect(await node.blockFacts(number + 1n)).toEqual(await server.blockFacts(number + 1n));
    expect(eventsOf(node, "blockValidated").every(({ status }) => status === "Valid")).toBe(true);
  });

  // At each of these it is killed in f1r3nodeNetwork.recorded.long.test.ts.
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
    await using server = await network.serve();
    const ownDisk = new FloorDisk();
    for (const [type, enough] of chosen) {
      await using node = await network.join(server, { disk: ownDisk });
      await node.until(() => eventsOf(node, type).length >= enough || node.isAt(server));
    }
    await using node = await network.join(server, { disk: ownDisk });
    await node.until(() => node.isAt(server));
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });

  test("floors that contradict the blocks are left aside, a false seed too", async () => {
    const genesis = network.blocks[0]!;
    await using server = await network.serve({
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
    await using node = await network.join(server);
    await node.until(() => node.isAt(server));
    expect(eventsOf(node, "floorsRefused").length).toBeGreaterThan(0);
    expect(await node.blockFacts()).toEqual(await server.blockFacts());
  });
});
