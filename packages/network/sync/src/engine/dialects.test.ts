import { encodePacket, f1r3node, hashKey, type PacketType } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import { approved, bootstrap, EngineSetting, first, genesis, one } from "../testing/EngineSetting.js";
import { testHash } from "../testing/testBlock.js";
import type { SyncOptions } from "./SyncOptions.js";

describe("on an f1r3node network", () => {
  const entry = Uint8Array.of(1, 2, 3);
  const floors: NonNullable<SyncOptions["floors"]> = {
    find: (hash) =>
      hashKey(hash) === hashKey(first.hash)
        ? { floor: genesis.hash, frontier: genesis.hash }
        : { floor: genesis.hash, frontier: undefined },
    anchor: () => genesis.hash,
    seedOf: async () => ({ floorHash: genesis.hash, floorNumber: 0n, frontierHash: genesis.hash, frontierNumber: 0n }),
    check: async () => ({ floors: [], contradicted: [], trusted: 0 }),
  };
  const entries: NonNullable<SyncOptions["entries"]> = {
    find: async ({ hash }) => (hashKey(hash) === hashKey(first.hash) ? entry : undefined),
    take: async () => undefined,
    make: async () => undefined,
  };
  const f1r3nodeSetting = { dialect: f1r3node, floors, entries, begun: true };
  const answer = async (setting: EngineSetting, type: PacketType, message: object) => {
    setting.peers.take();
    await setting.engine.handlePacket(one, type, encodePacket(type, message as never));
    await setting.settled();
    return setting.peers.take().map((said) => said.message.message);
  };

  test("a node sends what is final for blocks, where it knows both", async () => {
    await using setting = await new EngineSetting(f1r3nodeSetting).start();
    const hashes = [first.hash, genesis.hash, testHash("unknown")];
    const known = { blockHash: first.hash, floorHash: genesis.hash, frontierHash: genesis.hash };
    expect(await answer(setting, "FloorCacheRequest", { hashes })).toEqual([{ entries: [known] }]);
    expect(await answer(setting, "FloorCacheRequest", { hashes: [] })).toEqual([{ entries: [] }]);
    const many = Array.from({ length: 4097 }, () => first.hash);
    expect(await answer(setting, "FloorCacheRequest", { hashes: many })).toEqual([]);
    expect((await answer(setting, "FloorCacheRequest", { hashes: many.slice(1) })).length).toBe(1);
  });

  test("a node sends a block's changes of number channels, and nothing about a block that it does not have", async () => {
    await using setting = await new EngineSetting(f1r3nodeSetting).start();
    const ask = (blockHash: Uint8Array) => answer(setting, "MergeableEntryRequest", { blockHash });
    expect(await ask(first.hash)).toEqual([{ blockHash: first.hash, serializedEntry: entry }]);
    expect(await ask(genesis.hash)).toEqual([{ blockHash: genesis.hash, serializedEntry: new Uint8Array(0) }]);
    expect(await ask(testHash("unknown"))).toEqual([]);
    await using quiet = await new EngineSetting({ ...f1r3nodeSetting, stateExport: undefined }).start();
    expect(await answer(quiet, "MergeableEntryRequest", { blockHash: first.hash })).toEqual([]);
  });

  test("a node that gives neither leaves such questions without an answer, and such answers unread", async () => {
    await using setting = await new EngineSetting({ dialect: f1r3node, begun: true }).start();
    expect(await answer(setting, "FloorCacheRequest", { hashes: [first.hash] })).toEqual([]);
    expect(await answer(setting, "MergeableEntryRequest", { blockHash: first.hash })).toEqual([]);
    await setting.engine.handlePacket(one, "FloorCacheResponse", Uint8Array.of(255));
    await setting.engine.handlePacket(one, "MergeableEntryResponse", Uint8Array.of(255));
    expect(setting.events.some(({ type }) => type === "packetRefused")).toBe(false);
  });

  test("packets of the one dialect are refused on a network of the other, with that reason", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    for (const type of ["FloorCacheRequest", "FloorCacheResponse", "MergeableEntryResponse"] as const)
      await setting.engine.handlePacket(one, type, new Uint8Array(0));
    const reasons = setting.events.flatMap((event) => (event.type === "packetRefused" ? [event.reason] : []));
    expect(reasons).toEqual([
      "Unrecognized typeId: FloorCacheRequest (it is of another dialect than this network's)",
      "Unrecognized typeId: FloorCacheResponse (it is of another dialect than this network's)",
      "Unrecognized typeId: MergeableEntryResponse (it is of another dialect than this network's)",
    ]);
  });

  test("an approved block of the other dialect is none", async () => {
    await using setting = await new EngineSetting({ dialect: f1r3node }).start();
    await setting.receive("ApprovedBlock", approved, bootstrap);
    expect(setting.events.filter(({ type }) => type === "approvedBlockReceived")).toEqual([]);
    expect(setting.events.some(({ type }) => type === "packetRefused" || type === "approvedBlockRefused")).toBe(true);
  });
});
