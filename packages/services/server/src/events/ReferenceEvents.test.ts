import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { decodeBlock, f1r3node } from "@vedette/protocol";
import type { TransferPort } from "@vedette/queries/events";
import { FakeEventChain, madeDeploy } from "@vedette/queries/eventsTesting";
import {
  areRecordingsThere,
  lengthPrefixed,
  ownF1r3nodeChain,
  readChainFile,
  recordedDirectory,
} from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { type ReceivedEvent, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

const path = "/ws/events";

test("frames have rnode's members in its order, and behind them the ids of deploys for older clients", async () => {
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await node.take([made.genesis]);
  await using client = await WebSocketClient.connect(node.port, path);
  const frames: string[] = [];
  client.socket.on("message", (data, isBinary) => frames.push(`${isBinary} ${String(data)}`));
  const [first, second] = [madeDeploy(), madeDeploy({ failed: true })];
  const block = made.next([first, second]);
  node.events.onBlockCreated(block);
  await node.take([block]);
  await client.until((messages) => messages.length === 4);
  const hash = toHex(block.hash);
  const validator = "11".repeat(65);
  const genesis = toHex(made.genesis.hash);
  const deploys = [first, second].map(
    ({ deploy, failed }) =>
      `{"id":"${toHex(deploy.signature)}","cost":9007199254740993,"deployer":"${"22".repeat(65)}","errored":${failed}}`,
  );
  const ids = [first, second].map(({ deploy }) => `"${toHex(deploy.signature)}"`);
  const payload = `{"block-hash":"${hash}","parent-hashes":["${genesis}"],"justification-hashes":[["${validator}","${genesis}"]],"deploys":[${deploys.join(",")}],"creator":"${validator}","seq-num":1,"deploy-ids":[${ids.join(",")}]}`;
  expect(frames).toEqual(
    ["block-created", "block-added", "block-finalised"].map(
      (event) => `false {"event":"${event}","schema-version":1,"payload":${payload}}`,
    ),
  );
});

test("the first client ever receives up to 100 events from before, later ones what comes", async () => {
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await node.take([made.genesis, ...made.grow(60)]);
  const seqNum = (event: ReceivedEvent) => (event["payload"] as { "seq-num": number })["seq-num"];
  {
    await using first = await WebSocketClient.connect(node.port, path);
    const frames = await first.until((messages) => messages.length === 101);
    expect(frames[0]).toEqual({ event: "started", "schema-version": 1 });
    expect([seqNum(frames[1]!), frames[1]!["event"]]).toEqual([11, "block-added"]);
    expect([seqNum(frames[100]!), frames[100]!["event"]]).toEqual([60, "block-finalised"]);
  }
  await node.take(made.grow(1));
  await using second = await WebSocketClient.connect(node.port, path);
  await node.take(made.grow(1));
  const frames = await second.until((messages) => messages.length === 3);
  expect(frames.slice(1).map(seqNum)).toEqual([62, 62]);
});

test("a client that reads late has the newest 1000 frames, others are not kept waiting", async () => {
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await node.take([made.genesis]);
  await using late = await WebSocketClient.connect(node.port, path, { isPaused: true });
  await using steady = await WebSocketClient.connect(node.port, path);
  // Far more than sockets of the system keep by themselves.
  const block = made.next(Array.from({ length: 24 }, () => madeDeploy()));
  for (let i = 0; i < 2_500; i += 1) {
    node.events.onBlockCreated(block);
    if (i % 50 === 0) await steady.until((messages) => messages.length >= i + 1);
  }
  await steady.until((messages) => messages.length === 2_501);
  node.events.onBlockCreated(made.next());
  late.socket.resume();
  const frames = await late.until(
    (messages) => (messages.at(-1)?.["payload"] as { "seq-num"?: number })?.["seq-num"] === 2,
  );
  expect(frames.length).toBeLessThan(2_500);
});

test("blocks of f1r3node are sent with their number and time", async () => {
  const [, bytes] = lengthPrefixed(readChainFile(ownF1r3nodeChain, "blocks.bin"));
  const block = decodeBlock(bytes!, f1r3node.blockForm);
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await node.take([made.genesis]);
  await using client = await WebSocketClient.connect(node.port, path);
  node.events.onBlockCreated(block);
  const frames = await client.until((messages) => messages.length === 2);
  const payload = frames[1]!["payload"] as Record<string, unknown>;
  expect(Object.keys(payload).slice(0, 4)).toEqual(["block-hash", "block-number", "timestamp", "parent-hashes"]);
  expect(payload).toMatchObject({
    ...{ "block-hash": toHex(block.hash), "block-number": Number(block.number) },
    ...{ timestamp: Number(block.header.timestamp) },
  });
});

describe("a node of the newer dialect", () => {
  const made = new FakeEventChain();
  const [payer, other] = [madeDeploy(), madeDeploy({ deployer: 0x33 })];
  const block = made.next([payer, other]);
  const own = vaultAddressOfPublicKey(payer.deploy.deployer)!;
  const moved = {
    ...{ deployId: payer.deploy.signature, deployer: payer.deploy.deployer },
    ...{ from: own, to: "1111to", amount: 9_007_199_254_740_993n, failReason: undefined },
  };
  const transfers: TransferPort = {
    transfersOf: async () => [moved, { ...moved, from: "1111other" }, { ...moved, amount: 2n, failReason: "no" }],
  };
  const payerIds = { id: toHex(payer.deploy.signature), hash: toHex(block.hash) };
  const moments = [
    { event: "node-started", address: "rnode://a@b" },
    { event: "sent-unapproved-block", blockHash: "aa" },
    { event: "block-approval-received", blockHash: "aa", sender: "04" },
    { event: "sent-approved-block", blockHash: "aa" },
    { event: "entered-running-state", blockHash: "aa" },
  ] as const;
  const frames = [
    { event: "node-started", payload: { address: "rnode://a@b" } },
    { event: "sent-unapproved-block", payload: { "block-hash": "aa" } },
    { event: "block-approval-received", payload: { "block-hash": "aa", sender: "04" } },
    { event: "sent-approved-block", payload: { "block-hash": "aa" } },
    { event: "entered-running-state", payload: { "block-hash": "aa" } },
  ].map((frame) => ({ ...frame, "schema-version": 1 }));

  test("sends each client the events of its start, and later ones to connected clients", async () => {
    await using node = await EventsNode.start({ dialect: f1r3node });
    await node.take([made.genesis]);
    for (const moment of moments) node.events.onMoment(moment);
    node.events.onMoment({ event: "approved-block-received", blockHash: "bb" });
    for (let clients = 0; clients < 2; clients += 1) {
      await using client = await WebSocketClient.connect(node.port, path);
      node.events.onMoment({ event: "approved-block-received", blockHash: "cc" });
      const received = await client.until((messages) => messages.length === 7);
      const last = { event: "approved-block-received", "schema-version": 1, payload: { "block-hash": "cc" } };
      expect(received.slice(1)).toEqual([...frames, last]);
    }
  });

  test("sends what final blocks moved, each deploy's own", async () => {
    await using node = await EventsNode.start({ dialect: f1r3node, transfers, reportsFinalTransfers: true });
    await using client = await WebSocketClient.connect(node.port, path);
    await client.until((messages) => messages.length === 1);
    node.events.onChainEvent({ type: "blockFinalized", block });
    const received = await client.until((messages) => messages.length === 3);
    expect(received[2]).toEqual({
      event: "transfers-available",
      "schema-version": 1,
      payload: {
        "block-hash": payerIds.hash,
        "block-number": 1,
        deploys: [
          {
            "deploy-id": payerIds.id,
            transfers: [
              { "from-addr": own, "to-addr": "1111to", amount: Number(9_007_199_254_740_993n), success: true },
              { "from-addr": own, "to-addr": "1111to", amount: 2, success: false },
            ],
          },
        ],
      },
    });
    // It is not sent again as an event of the start, which never ends on a replica.
    await using later = await WebSocketClient.connect(node.port, path);
    node.events.onMoment(moments[0]);
    expect((await later.until((messages) => messages.length === 2)).slice(1)).toEqual(frames.slice(0, 1));
  });

  test("sends no transfers of a block without any, of one whose transfers are unknown, or as a validator", async () => {
    const failing: TransferPort = { transfersOf: () => Promise.reject(new Error("not executed here")) };
    const ofOthers: TransferPort = { transfersOf: async () => [{ ...moved, from: "1111other" }] };
    const nodes = [
      { transfers: ofOthers, reportsFinalTransfers: true },
      { transfers: failing, reportsFinalTransfers: true },
      { transfers, reportsFinalTransfers: false },
    ];
    for (const options of nodes) {
      await using node = await EventsNode.start({ dialect: f1r3node, ...options });
      await using client = await WebSocketClient.connect(node.port, path);
      await client.until((messages) => messages.length === 1);
      node.events.onChainEvent({ type: "blockFinalized", block: made.genesis });
      node.events.onChainEvent({ type: "blockFinalized", block });
      await client.until((messages) => messages.length === 3);
      // Any request for transfers is answered by now.
      for (let turns = 0; turns < 10; turns += 1) await setImmediate();
      node.events.onMoment(moments[0]);
      const received = await client.until((messages) => messages.length === 4);
      expect(received.map(({ event }) => event)).toEqual([
        "started",
        "block-finalised",
        "block-finalised",
        "node-started",
      ]);
    }
  });

  test("a node of rnode sends none of these events", async () => {
    await using node = await EventsNode.start({ transfers, reportsFinalTransfers: true });
    await using client = await WebSocketClient.connect(node.port, path);
    for (const moment of moments) node.events.onMoment(moment);
    node.events.onChainEvent({ type: "blockFinalized", block });
    const received = await client.until((messages) => messages.length === 2);
    expect(received.map(({ event }) => event)).toEqual(["started", "block-finalised"]);
  });
});

if (areRecordingsThere)
  test("a plain request is answered as it was recorded", async () => {
    const lines = readFileSync(join(recordedDirectory("api"), "solo.jsonl"), "utf8")
      .trim()
      .split("\n");
    const recorded = lines
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly path: string;
            readonly response: { status: number; body: string; headers: Record<string, string> };
          },
      )
      .find((one) => one.path === path)!;
    await using node = await EventsNode.start();
    const answer = await fetch(`http://127.0.0.1:${node.port}${path}`);
    expect(answer.status).toBe(recorded.response.status);
    expect(answer.headers.get("content-type")).toBe(recorded.response.headers["content-type"]);
    expect(await answer.text()).toBe(recorded.response.body);
  });
