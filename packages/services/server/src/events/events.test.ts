import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Chain } from "@vedette/chain";
import { equalBytes, toHex, vaultAddressOfPublicKey } from "@vedette/crypto";
import { type BlockTransfer, readerLimits } from "@vedette/queries/events";
import { FakeEventChain, madeDeploy } from "@vedette/queries/eventsTesting";
import { LmdbStore, MemoryStore, type Store, tablesOf, type WritableTables } from "@vedette/store";
import { expect, test, vi } from "vitest";
import { ServerSentClient, WebSocketClient } from "../testing/EventsClient.js";
import { EventsNode } from "../testing/EventsNode.js";

const path = "/v2/events";
const addresses = [0x22, 0x33].map((byte) => vaultAddressOfPublicKey(new Uint8Array(65).fill(byte))!);
const [payer, payee] = addresses as [string, string];

async function begun(made: FakeEventChain, options: Parameters<typeof EventsNode.start>[0] = {}): Promise<EventsNode> {
  const node = await EventsNode.start(options);
  await node.take([made.genesis]);
  return node;
}

test("an event has what happened and its place, numbers in full", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made);
  await using client = await WebSocketClient.connect(node.port, path);
  const raw: string[] = [];
  client.socket.on("message", (data) => raw.push(String(data)));
  const deploy = madeDeploy();
  const block = made.next([deploy]);
  await node.take([block]);
  const events = await client.until((messages) => messages.length === 5);
  expect(events.map(({ kind }) => kind)).toEqual([
    "started",
    "blockAdded",
    "deployIncluded",
    "blockFinalized",
    "deployFinalized",
  ]);
  const log = events[0]!.cursor.split("-")[0]!;
  expect(events.map(({ cursor }) => cursor)).toEqual([
    `${log}-1`,
    `${log}-2-0-0`,
    `${log}-2-1-0`,
    `${log}-3-0-0`,
    `${log}-3-1-0`,
  ]);
  expect(events[1]).toEqual({
    kind: "blockAdded",
    cursor: `${log}-2-0-0`,
    blockHash: toHex(block.hash),
    blockNumber: 1,
    parents: [toHex(made.genesis.hash)],
    sender: "11".repeat(65),
    seqNum: 1,
    timestamp: 1,
    preStateHash: toHex(block.body.state.preStateHash),
    postStateHash: toHex(block.body.state.postStateHash),
    deployCount: 1,
    rejectedDeploys: [],
  });
  expect(raw[1]).toBe(
    `{"kind":"deployIncluded","cursor":"${log}-2-1-0","deployId":"${toHex(deploy.deploy.signature)}","deployer":"${"22".repeat(65)}","address":"${payer}","cost":"9007199254740993","errored":false,"systemDeployError":"","blockHash":"${toHex(block.hash)}","blockNumber":1}`,
  );
});

test("the chain's beginning is sent to clients that waited for it", async () => {
  const made = new FakeEventChain();
  await using node = await EventsNode.start();
  await using client = await ServerSentClient.connect(node.port, path);
  await node.take([made.genesis, ...made.grow(1)]);
  const events = await client.until((messages) => messages.length === 6);
  expect(events[1]).toMatchObject({ kind: "chainStarted", blockHash: toHex(made.genesis.hash) });
});

test("after a disconnect and after a restart a client goes on where it was, with either transport", async () => {
  const folder = mkdtempSync(join(tmpdir(), "vedette-events-"));
  const made = new FakeEventChain();
  const cursors: string[] = [];
  let after = "oldest";
  try {
    for (let round = 0; round < 6; round += 1) {
      const store = new LmdbStore(join(folder, "chain"), { tables: tablesOf("chain") });
      {
        await using node = await EventsNode.start({ store });
        const blocks = made.grow(3);
        await node.take(round === 0 ? [made.genesis, ...blocks] : blocks);
        const read = (messages: readonly { readonly cursor: string }[], count: number) => {
          cursors.push(...messages.slice(1, 1 + count).map(({ cursor }) => cursor));
          after = cursors.at(-1)!;
        };
        await using first = await WebSocketClient.connect(node.port, `${path}?after=${after}`);
        read(await first.until((messages) => messages.length > 5), 5);
        await using second = await ServerSentClient.connect(node.port, path, { "last-event-id": after });
        read(await second.until((messages) => messages.length > 4), 4);
      }
      await store.close();
    }
    const store = new LmdbStore(join(folder, "chain"), { tables: tablesOf("chain") });
    {
      await using node = await EventsNode.start({ store });
      await using client = await WebSocketClient.connect(node.port, `${path}?after=oldest`);
      const all = await client.until((messages) => messages.length === 1 + 1 + 18 * 4);
      expect(cursors).toEqual(all.slice(1, 1 + cursors.length).map(({ cursor }) => cursor));
      expect(cursors).toHaveLength(54);
    }
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test("filters let pass what they name", async () => {
  const made = new FakeEventChain();
  const transfers: BlockTransfer[] = [
    { ...transferBase(), from: payer, to: payee, amount: 2n ** 60n, failReason: undefined },
    { ...transferBase(), from: payee, to: payee, amount: 1n, failReason: "Insufficient funds" },
  ];
  await using node = await begun(made, { transfers: { transfersOf: async () => transfers } });
  const sending = madeDeploy({ deployer: 0x33, sendsOn: ["here", "there", "here"] });
  const failing = madeDeploy({ deployer: 0x33, sendsOn: ["here"], failed: true });
  await node.take([made.next([madeDeploy(), sending, failing])]);
  const kindsOf = async (query: string, count: number) => {
    await using client = await ServerSentClient.connect(node.port, `${path}?after=oldest&${query}`);
    const events = await client.until((messages) => messages.length >= count + 1);
    return events.slice(1).map(({ kind, deployer, to }) => [kind, String(deployer ?? "").slice(0, 2), to]);
  };
  expect(await kindsOf("kind=blockFinalized&kind=chainStarted", 2)).toEqual([
    ["chainStarted", "", undefined],
    ["blockFinalized", "", undefined],
  ]);
  // A failed deploy is not final with its block.
  expect(await kindsOf(`deployer=${"33".repeat(65)}`, 3)).toEqual([
    ["deployIncluded", "33", undefined],
    ["deployIncluded", "33", undefined],
    ["deployFinalized", "33", undefined],
  ]);
  expect(await kindsOf(`address=${payer}`, 1)).toEqual([["transfer", "22", payee]]);
  expect(await kindsOf(`kind=transfer&kind=blockAdded`, 3)).toEqual([
    ["blockAdded", "", undefined],
    ["transfer", "22", payee],
    ["transfer", "22", payee],
  ]);
  // The sends of a failed deploy were undone.
  expect(await kindsOf("name=text:here", 2)).toEqual([
    ["dataSent", "33", undefined],
    ["dataSent", "33", undefined],
  ]);
  expect(await kindsOf("kind=blockAdded&kind=dataSent&name=text:there", 2)).toEqual([
    ["blockAdded", "", undefined],
    ["dataSent", "33", undefined],
  ]);
});

function transferBase() {
  return { deployId: new Uint8Array(70).fill(1), deployer: new Uint8Array(65).fill(0x22) };
}

test.each([
  ["kind=blockadded", "query.kind"],
  ["kind=dataSent", "query.name"],
  ["kind=transfer", "query.kind"],
  ["deployer=04", "query.deployer"],
  ["address=1111x", "query.address"],
  ["address=", "query.address"],
  ["name=here", "query.name"],
  ["name=hash:00", "query.name"],
  ["name=private:0", "query.name"],
  ["name=int:99999999999999999999", "query.name"],
  ["name=int:9223372036854775808", "query.name"],
  [`name=${"a".repeat(1025)}`, "query.name"],
  [Array.from({ length: 65 }, () => "name=text:a").join("&"), "query.name"],
  ["after=yesterday", "query.after"],
  ["after=0011223344556677-1-0", "query.after"],
  [`after=${"0".repeat(65)}`, "query.after"],
  ["colour=red", "query.colour"],
])("the query %s is refused with the field, before any upgrade", async (query, field) => {
  await using node = await begun(new FakeEventChain());
  const { response } = await ServerSentClient.connect(node.port, `${path}?${query}`);
  expect(response.headers.get("content-type")).toBe("application/problem+json");
  const problem = (await response.json()) as { readonly field: string; readonly status: number };
  expect(problem.status).toBe(response.status);
  expect(problem.field.startsWith(field)).toBe(true);
  await expect(WebSocketClient.connect(node.port, `${path}?${query}`)).rejects.toThrow(/^(400|501) .*"field"/);
});

test("a cursor that is kept no longer is refused, with the oldest one", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made, { capacity: 6 });
  await using first = await WebSocketClient.connect(node.port, `${path}?after=oldest`);
  const [started] = await first.until((messages) => messages.length > 0);
  await node.take(made.grow(10));
  const { response } = await ServerSentClient.connect(node.port, `${path}?after=${started!.cursor}`);
  expect(response.status).toBe(410);
  const problem = (await response.json()) as { readonly code: string; readonly oldest: string };
  expect(problem.code).toBe("cursorTooOld");
  await using refused = await WebSocketClient.connect(node.port, `${path}?after=${started!.cursor}`);
  expect(await refused.closed()).toBe(4010);
  expect(refused.messages).toMatchObject([{ kind: "problem", code: "cursorTooOld", oldest: problem.oldest }]);
  await using again = await ServerSentClient.connect(node.port, `${path}?after=${problem.oldest}`);
  expect(await again.until((messages) => messages.length === 1 + 12)).toMatchObject([
    { kind: "started" },
    { kind: "blockAdded", blockNumber: 8 },
    ...Array.from({ length: 11 }, () => ({})),
  ]);
});

test("a log that was deleted, or does not agree with the chain, begins anew and is known to be another one", async () => {
  const made = new FakeEventChain();
  const store = new MemoryStore(tablesOf("chain"));
  const lastCursor = async (): Promise<string> => {
    await using node = await EventsNode.start({ store });
    await using client = await ServerSentClient.connect(node.port, path);
    return (await client.until((messages) => messages.length > 0))[0]!.cursor;
  };
  await using node = await begun(made, { store });
  await node.take(made.grow(2));
  const before = await lastCursor();
  expect(before).toMatch(/-5$/);
  expect(await lastCursor()).toBe(before);

  store.write((tables) => {
    for (const [key] of [...tables("eventLog").range()]) tables("eventLog").delete(key);
  });
  const afterDeletion = await lastCursor();
  expect(afterDeletion).toMatch(/-0$/);
  expect(afterDeletion.split("-")[0]).not.toBe(before.split("-")[0]);

  const { rules } = node.chain;
  const withoutLog = new Chain({ store, rules, execution: undefined as never, nowMs: () => 0 });
  withoutLog.insertTrusted(made.next(), false);
  const afterGap = await lastCursor();
  expect(afterGap.split("-")[0]).not.toBe(afterDeletion.split("-")[0]);
  await using reopened = await EventsNode.start({ store });
  await using client = await WebSocketClient.connect(reopened.port, `${path}?after=${before}`);
  expect(await client.closed()).toBe(4010);
  expect(client.messages).toMatchObject([{ kind: "problem", code: "cursorUnknown", oldest: afterGap }]);
});

test("when the chain is begun anew, readers are notified that the log is another one", async () => {
  const made = new FakeEventChain();
  await using node = await begun(made);
  await node.take(made.grow(2));
  await using client = await WebSocketClient.connect(node.port, path);
  await using stream = await ServerSentClient.connect(node.port, path);
  await stream.until((messages) => messages.length === 1);
  const approved = { candidate: { block: made.genesis, requiredSignatures: 0 }, signatures: [] };
  node.chain.adoptImported(approved, []);
  await node.take(made.blocks.slice(1));
  expect(await client.closed()).toBe(4010);
  expect(client.messages.at(-1)).toMatchObject({ kind: "problem", code: "cursorUnknown" });
  expect((await stream.until(() => stream.hasEnded)).at(-1)).toMatchObject({ kind: "problem" });
  await using again = await WebSocketClient.connect(node.port, `${path}?after=oldest`);
  expect((await again.until((messages) => messages.length === 10))[1]).toMatchObject({ kind: "chainStarted" });
});

// The first write is the block, the second what becomes final with it.
test.each([1, 2])(
  "a change of the chain that fails at write %i leaves nothing, and its repetition all",
  async (failing) => {
    const made = new FakeEventChain();
    const store = new FailingStore();
    await using node = await begun(made, { store });
    await using client = await WebSocketClient.connect(node.port, `${path}?kind=blockAdded&kind=blockFinalized`);
    const block = made.next();
    store.failsAfter = failing;
    await expect(node.take([block])).rejects.toThrow("the disk is full");
    expect(node.chain.dag.has(block.hash)).toBe(false);
    expect(node.chain.dag.latestMessages().some(({ hash }) => equalBytes(hash, block.hash))).toBe(false);
    store.failsAfter = Number.POSITIVE_INFINITY;
    await node.take([block]);
    const events = await client.until((messages) => messages.length === 3);
    expect(events.map(({ kind }) => kind)).toEqual(["started", "blockAdded", "blockFinalized"]);
    expect(events.at(-1)!.cursor).toMatch(/-3-0-0$/);
  },
);

/** Throws at the end of a transaction. */
class FailingStore extends MemoryStore implements Store {
  failsAfter = Number.POSITIVE_INFINITY;

  constructor() {
    super(tablesOf("chain"));
  }

  override write(work: (tables: WritableTables) => void): void {
    super.write((tables) => {
      work(tables);
      this.failsAfter -= 1;
      if (this.failsAfter < 1) throw new TypeError("the disk is full");
    });
  }
}

test("transfers that are not available now end the stream; nothing is left out when it is resumed", async () => {
  const made = new FakeEventChain();
  let isBroken = true;
  const transfer = { ...transferBase(), from: payer, to: payee, amount: 5n, failReason: undefined };
  const transfersOf = async () => {
    if (isBroken) throw new TypeError("all readers are busy");
    return [transfer];
  };
  await using node = await begun(made, { transfers: { transfersOf } });
  await using client = await WebSocketClient.connect(node.port, `${path}?kind=transfer`);
  await using others = await WebSocketClient.connect(node.port, `${path}?kind=blockFinalized`);
  await node.take(made.grow(1));
  expect(await client.closed()).toBe(4013);
  const problem = client.messages.at(-1)!;
  expect(problem).toMatchObject({ kind: "problem", code: "transfersUnavailable" });
  await others.until((messages) => messages.length === 2);
  isBroken = false;
  await using again = await WebSocketClient.connect(node.port, `${path}?kind=transfer&after=${problem.cursor}`);
  expect((await again.until((messages) => messages.length === 2))[1]).toMatchObject({ kind: "transfer", amount: "5" });
});

test("a heartbeat keeps the cursor fresh while nothing passes the filter", async () => {
  const made = new FakeEventChain();
  const limits = { reader: { ...readerLimits, heartbeatMs: 1 } };
  await using node = await begun(made, { limits });
  await using client = await WebSocketClient.connect(node.port, `${path}?kind=blockInvalid`);
  await using stream = await ServerSentClient.connect(node.port, `${path}?kind=blockInvalid`);
  await node.take(made.grow(2));
  for (const one of [client, stream]) {
    const events = await one.until((messages) => messages.length === 2);
    expect(events[1]).toMatchObject({ kind: "heartbeat", cursor: expect.stringMatching(/-5$/) });
  }
  expect(stream.lastId).toMatch(/-5$/);
});

test("while the node is behind, every reader receives everything, of several blocks together", async () => {
  const made = new FakeEventChain();
  const put: (() => void)[] = [];
  let isBehind = true;
  const turns = {
    take: (work: () => void) => void put.push(work),
    get isBehind() {
      return isBehind;
    },
  };
  // The pauses between rounds pass faster than a clock does.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const serveWaiting = () => {
    vi.advanceTimersByTime(20);
    for (const work of put.splice(0)) work();
  };
  const serving = setInterval(serveWaiting, 1);
  try {
    await using node = await begun(made, { turns });
    await using all = await ServerSentClient.connect(node.port, path);
    await using some = await WebSocketClient.connect(node.port, `${path}?kind=blockAdded`);
    await using frames = await WebSocketClient.connect(node.port, path);
    // More than are at hand at once, a few, and some after the node has caught up.
    for (const count of [90, 3]) {
      for (const block of made.grow(count)) await node.take([block]);
      await some.until((messages) => messages.length === made.blocks.length);
    }
    isBehind = false;
    await node.take(made.grow(2));
    const blocks = made.blocks.length - 1;
    const events = await all.until((messages) => messages.length === 1 + 4 * blocks);
    expect(await frames.until((messages) => messages.length === events.length)).toEqual(events);
    const added = await some.until((messages) => messages.length === 1 + blocks);
    expect(added.slice(1)).toEqual(events.filter(({ kind }) => kind === "blockAdded"));
    expect(added.slice(1).map(({ blockNumber }) => blockNumber)).toEqual(made.blocks.slice(1).map((_, at) => at + 1));
  } finally {
    vi.useRealTimers();
    clearInterval(serving);
  }
});

test("at the end all readers are notified that the node is stopping", async () => {
  const made = new FakeEventChain();
  const node = await begun(made);
  await using client = await WebSocketClient.connect(node.port, path);
  await using reference = await WebSocketClient.connect(node.port, "/ws/events");
  await using stream = await ServerSentClient.connect(node.port, path);
  await stream.until((messages) => messages.length === 1);
  await node.server.close();
  expect(await client.closed()).toBe(1001);
  expect(await reference.closed()).toBe(1001);
  for (const one of [client, stream]) expect(one.messages.at(-1)).toMatchObject({ kind: "closing" });
  expect((await stream.until(() => stream.hasEnded)).length).toBe(2);
});
