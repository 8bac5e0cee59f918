import { encodePacket } from "@vedette/protocol";
import { until } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { SyncError } from "../SyncError.js";
import { approved, bootstrap, EngineSetting, first, genesis, one, page } from "../testing/EngineSetting.js";
import { FakeGenesis, testGenesis } from "../testing/FakeGenesis.js";
import { testBlock, testHash } from "../testing/testBlock.js";

describe("a node that runs", () => {
  test("answers requests of peers", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    expect(setting.events.map(({ type }) => type)).toEqual(["launched", "enteredRunning", "tipsRequested"]);
    const { hash } = genesis;
    expect(await setting.receive("BlockRequest", { hash })).toEqual(["BlockMessage to one"]);
    expect(await setting.receive("BlockRequest", { hash: testHash("unknown") })).toEqual([]);
    expect(await setting.receive("HasBlockRequest", { hash })).toEqual(["HasBlock to one"]);
    // Stored, but not in the DAG.
    expect(await setting.receive("HasBlockRequest", { hash: first.hash })).toEqual([]);
    expect(await setting.receive("BlockRequest", { hash: first.hash })).toEqual(["BlockMessage to one"]);
    // Once for each distinct hash.
    expect(await setting.receive("ForkChoiceTipRequest", {})).toEqual(["HasBlock to one"]);
    const { startPath } = page;
    expect(await setting.receive("StoreItemsMessageRequest", { startPath, skip: 0, take: 750 })).toEqual([
      "StoreItemsMessage to one",
    ]);
    expect(await setting.receive("StoreItemsMessageRequest", { startPath, skip: 0, take: 751 })).toEqual([]);
  });

  test("gives its last finalized block, or the one that it began with", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    setting.peers.take();
    for (const trimState of [true, false]) {
      const content = encodePacket("ApprovedBlockRequest", { identifier: "", trimState });
      await setting.engine.handlePacket(one, "ApprovedBlockRequest", content);
    }
    const given = setting.peers.take().map(({ message }) => {
      return message.type === "ApprovedBlock" ? message.message.candidate.block.number : undefined;
    });
    expect(given).toEqual([1n, 0n]);
  });

  test("does not serve states if the configuration disables it", async () => {
    await using setting = await new EngineSetting({ begun: true, stateExport: undefined }).start();
    const request = { startPath: page.startPath, skip: 0, take: 750 };
    expect(await setting.receive("StoreItemsMessageRequest", request)).toEqual([]);
    expect(setting.events.at(-1)?.type).toBe("storeItemsRefused");
  });

  test("looks up names of any length, and finds none that is no hash", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    for (const length of [0, 1, 31, 33, 1_978, 2_000, 100_000]) {
      const hash = new Uint8Array(length).fill(7);
      const blockCreator = hash;
      for (const type of ["BlockRequest", "HasBlockRequest", "HasBlock"] as const)
        expect(await setting.receive(type, { hash })).toEqual([]);
      expect(await setting.receive("BlockHashMessage", { hash, blockCreator })).toEqual([]);
    }
    expect(await setting.receive("BlockRequest", { hash: genesis.hash })).toEqual(["BlockMessage to one"]);
  });

  test("reports packets that it cannot read, and lives on", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    await setting.engine.handlePacket(one, "Nonsense", new Uint8Array(3));
    await setting.engine.handlePacket(one, "HasBlock", Uint8Array.of(255, 255, 255));
    expect(setting.events.slice(-2)).toMatchObject([
      { type: "packetRefused", reason: "Unrecognized typeId: Nonsense" },
      { type: "packetRefused" },
    ]);
    expect(await setting.receive("HasBlockRequest", { hash: genesis.hash })).toEqual(["HasBlock to one"]);
  });

  test("does not even read large packets that it did not request", async () => {
    await using setting = await new EngineSetting({ begun: true }).start();
    const before = setting.events.length;
    for (const type of ["BlockMessage", "ApprovedBlock", "StoreItemsMessage", "UnapprovedBlock", "BlockApproval"]) {
      await setting.engine.handlePacket(one, type, new Uint8Array(1000).fill(255));
    }
    expect(setting.events.length).toBe(before);
  });
});

describe("a node in a genesis ceremony", () => {
  const rules = { requiredSignatures: 1, approveIntervalMs: 3_600_000, approveDurationMs: 3_600_000 };
  const garbage = new Uint8Array(1000).fill(255);

  test("reads candidates of its bootstrap alone", async () => {
    const modes = { genesisValidator: true, ceremonyMaster: false };
    const genesis = new FakeGenesis(["a", "b"]);
    await using setting = await new EngineSetting({ modes, ceremony: { genesis, rules } }).start();
    const refused = () => setting.events.filter(({ type }) => type === "packetRefused").length;
    for (const type of ["UnapprovedBlock", "BlockApproval"]) await setting.engine.handlePacket(one, type, garbage);
    await setting.engine.handlePacket(bootstrap, "BlockApproval", garbage);
    expect(refused()).toBe(0);
    await setting.engine.handlePacket(bootstrap, "UnapprovedBlock", garbage);
    expect(refused()).toBe(1);
    const candidate = { block: testGenesis(["a", "b"]), requiredSignatures: 1 };
    const asked = { candidate, timestamp: 1n, durationMs: 2n };
    expect(await setting.receive("UnapprovedBlock", asked, one)).toEqual([]);
    expect(await setting.receive("UnapprovedBlock", asked, bootstrap)).toEqual(["BlockApproval to bootstrap"]);
    expect(setting.engine.status().state).toBe("initializing");
  });

  test("reads approvals while it leads one, and joins no peer", async () => {
    const modes = { genesisValidator: false, ceremonyMaster: true };
    const genesis = new FakeGenesis(["a", "b"]);
    await using setting = await new EngineSetting({ modes, ceremony: { genesis, rules } }).start();
    const refused = () => setting.events.filter(({ type }) => type === "packetRefused").length;
    await setting.engine.handlePacket(one, "UnapprovedBlock", garbage);
    await setting.engine.handlePacket(one, "ApprovedBlock", garbage);
    await setting.engine.handlePacket(one, "BlockApproval", new Uint8Array(100_000).fill(255));
    expect(refused()).toBe(0);
    await setting.engine.handlePacket(one, "BlockApproval", garbage);
    expect(refused()).toBe(1);
    expect(setting.events.map(({ type }) => type)).not.toContain("approvedBlockRequested");
  });

  test("ends with what is wrong where no genesis can be made", async () => {
    const modes = { genesisValidator: false, ceremonyMaster: true };
    const genesis = new FakeGenesis(["a"]);
    genesis.make = async () => {
      throw new Error("bonds.txt, line 3");
    };
    await using setting = await new EngineSetting({ modes, ceremony: { genesis, rules } }).start();
    expect(await setting.run).toEqual(new Error("bonds.txt, line 3"));
  });
});

describe("a node that joins", () => {
  test("takes an approved block that comes by itself before the next request", async () => {
    await using setting = await new EngineSetting({ times: { approvedRetryMs: 3_600_000 } }).start();
    await setting.receive("NoApprovedBlockAvailable", { identifier: "", nodeIdentifier: "it" }, bootstrap);
    await setting.receive("NoApprovedBlockAvailable", { identifier: "", nodeIdentifier: "it" }, bootstrap);
    expect(setting.events.filter(({ type }) => type === "approvedBlockRequested").length).toBe(1);
    await setting.receive("ApprovedBlock", approved, bootstrap);
    await setting.receive("BlockMessage", genesis, one);
    await setting.settled();
    expect(setting.engine.status().state).toBe("running");
  });

  test("repeats the request when there is no approved block yet, and gives others the same answer", async () => {
    await using setting = await new EngineSetting().start();
    expect(setting.events.map(({ type }) => type)).toEqual(["launched", "approvedBlockRequested"]);
    expect(await setting.receive("ApprovedBlockRequest", { identifier: "", trimState: true })).toEqual([
      "NoApprovedBlockAvailable to one",
    ]);
    await setting.receive("NoApprovedBlockAvailable", { identifier: "", nodeIdentifier: "it" }, bootstrap);
    const asked = () => setting.events.filter(({ type }) => type === "approvedBlockRequested").length;
    await until("another request for the approved block", () => asked() >= 2);
  });

  test("takes an approved block from its bootstrap alone", async () => {
    await using setting = await new EngineSetting().start();
    await setting.receive("ApprovedBlock", approved, one);
    await setting.receive("ApprovedBlock", approved, { ...bootstrap, protocolPort: 7 });
    const enough = { candidate: { block: genesis, requiredSignatures: 1 }, signatures: [] };
    await setting.receive("ApprovedBlock", enough, bootstrap);
    const forged = testBlock(3, [], { hash: genesis.hash });
    await setting.receive(
      "ApprovedBlock",
      { ...approved, candidate: { block: forged, requiredSignatures: 0 } },
      bootstrap,
    );
    const refusals = setting.events.flatMap((event) => (event.type === "approvedBlockRefused" ? [event.reason] : []));
    expect(refusals).toEqual([
      "It does not come from the bootstrap node.",
      "Received invalid ApprovedBlock message not containing enough valid signatures.",
      "Its hash is not that of its content; is this the right network, and the right dialect?",
    ]);
    expect(setting.engine.status().state).toBe("initializing");
    await setting.receive("ApprovedBlock", approved, bootstrap);
    await setting.receive("BlockMessage", genesis, one);
    await setting.settled();
    expect(setting.engine.status().state).toBe("running");
  });

  test("ends with a clear error where genesis does not pass replay", async () => {
    await using setting = await new EngineSetting({ beginning: "replayAll" }).start();
    await setting.receive("ApprovedBlock", approved, bootstrap);
    expect(await setting.run).toEqual(new SyncError({ code: "genesisRejected", status: "InvalidTransaction" }));
  });

  test("ends with a clear error without a bootstrap, or in a role that is not an observer's", async () => {
    await using alone = await new EngineSetting({ bootstrap: undefined }).start();
    expect(await alone.run).toEqual(new SyncError({ code: "noBootstrap" }));
    await using master = await new EngineSetting({ modes: { genesisValidator: false, ceremonyMaster: true } }).start();
    expect(await master.run).toEqual(new SyncError({ code: "roleNotSupported", role: "ceremony master" }));
  });

  test("ignores a peer that sent a wrong page of the state, but not its bootstrap", async () => {
    let isRight = false;
    const stateImport = {
      hasRoot: async () => false,
      missing: async () => (isRight ? [] : [testHash("root")]),
      importPage: async () => {
        if (!isRight) throw new Error("Trie hash does not match decoded trie");
        return { nextPath: undefined, isNew: true };
      },
      recordRoot: async () => {},
    };
    await using setting = await new EngineSetting({ stateImport }).start();
    await setting.receive("ApprovedBlock", approved, bootstrap);
    for (let times = 0; times < 12; times++) await setting.receive("StoreItemsMessage", page, one);
    expect(setting.events.filter(({ type }) => type === "statePageRefused").length).toBe(1);
    isRight = true;
    await setting.receive("StoreItemsMessage", page, bootstrap);
    expect(setting.engine.status().state).toBe("running");
  });

  test("gives up a state that its bootstrap sends wrong again and again", async () => {
    const stateImport = {
      hasRoot: async () => false,
      missing: async () => [testHash("root")],
      importPage: async () => {
        throw new Error("Trie hash does not match decoded trie");
      },
      recordRoot: async () => {},
    };
    await using setting = await new EngineSetting({ stateImport }).start();
    await setting.receive("ApprovedBlock", approved, bootstrap);
    for (let times = 0; times < 10; times++) await setting.receive("StoreItemsMessage", page, bootstrap);
    const reason = "Trie hash does not match decoded trie";
    expect(await setting.run).toEqual(new SyncError({ code: "stateUnobtainable", reason }));
    expect(setting.events.filter(({ type }) => type === "statePageRefused").length).toBe(10);
  });
});
