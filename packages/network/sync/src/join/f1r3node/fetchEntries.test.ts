import { setImmediate } from "node:timers/promises";
import { type Block, f1r3node, hashKey, type MergeableEntryResponse } from "@vedette/protocol";
import { describe, expect, test } from "vitest";
import type { SyncEvent } from "../../SyncEvent.js";
import { FakePeers, testPeer } from "../../testing/FakePeers.js";
import { testBlock, testHash } from "../../testing/testBlock.js";
import type { ReceivedAnswer } from "../JoinRules.js";
import { Mailbox } from "../Mailbox.js";
import { fetchEntries } from "./fetchEntries.js";

const [bootstrap, one] = [testPeer("bootstrap"), testPeer("one")];
const [right, wrong] = [Uint8Array.of(1), Uint8Array.of(2)];
const none = new Uint8Array(0);

function chainOf(length: number): Block[] {
  const blocks = [testBlock(0, [])];
  for (let number = 1; number < length; number++) blocks.push(testBlock(number, [blocks.at(-1)!]));
  return blocks;
}

/** A joiner with blocks, and some entries. */
class Setting {
  readonly peers: FakePeers;
  readonly received = new Mailbox<ReceivedAnswer<MergeableEntryResponse>>(50);
  readonly events: SyncEvent[] = [];
  readonly late: (() => void)[] = [];
  readonly entries = new Map<string, Uint8Array>();
  /** Numbers of the blocks that were executed again. */
  readonly made: number[] = [];
  readonly ended = new AbortController();
  failure: string | undefined;

  constructor(
    readonly blocks: readonly Block[],
    ...others: readonly (typeof one)[]
  ) {
    this.peers = new FakePeers(bootstrap, ...others);
    this.peers.packetForm = f1r3node.packetForm;
  }

  fetch(): Promise<void> {
    const { peers, received, entries } = this;
    const stored = new Map(this.blocks.map((block) => [hashKey(block.hash), block]));
    const port = {
      find: async ({ hash }: Block) => entries.get(hashKey(hash)),
      take: async ({ hash }: Block, entry: Uint8Array) => {
        if (entry[0] !== 1) return "wrong";
        entries.set(hashKey(hash), entry);
        return undefined;
      },
      make: async ({ hash, number }: Block) => {
        this.made.push(Number(number));
        if (this.failure === undefined) entries.set(hashKey(hash), right);
        return this.failure;
      },
    };
    const timers = {
      after: (_ms: number, action: () => void) => {
        this.late.push(action);
        return () => void this.late.splice(this.late.indexOf(action), 1);
      },
      yieldNow: async () => {},
    };
    const blocks = {
      has: (hash: Uint8Array) => stored.has(hashKey(hash)),
      get: (hash: Uint8Array) => stored.get(hashKey(hash)),
      bytes: () => undefined,
      prepare: async () => {},
      put: () => {},
    };
    const emit = (event: SyncEvent) => void this.events.push(event);
    const use = { ...{ peers, bootstrap, blocks, received, port, timers, emit }, dialect: f1r3node };
    return fetchEntries(this.blocks, use, this.ended.signal);
  }

  /** Returns the peers with open requests, and the blocks for which they got them. */
  async asked(): Promise<string[]> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
    return this.peers.take().map(({ to, message }) => {
      if (message.type !== "MergeableEntryRequest") throw new TypeError(message.type);
      const { blockHash } = message.message;
      return `${to} ${this.blocks.find(({ hash }) => hashKey(hash) === hashKey(blockHash))!.number}`;
    });
  }

  answer(from: typeof one, { hash: blockHash }: Pick<Block, "hash">, serializedEntry: Uint8Array): boolean {
    return this.received.put({ message: { blockHash, serializedEntry }, peer: from });
  }
}

describe("what blocks did to number channels", () => {
  test("is requested from the bootstrap, for blocks without it", async () => {
    const blocks = chainOf(3);
    const setting = new Setting(blocks);
    setting.entries.set(hashKey(blocks[1]!.hash), right);
    const fetched = setting.fetch();
    expect(await setting.asked()).toEqual(["bootstrap 0", "bootstrap 2"]);
    for (const block of [blocks[2]!, blocks[0]!]) setting.answer(bootstrap, block, right);
    await fetched;
    expect(setting.events).toEqual([{ type: "entriesTaken", given: 2, made: 0, lacking: 0 }]);
    expect(setting.made).toEqual([]);
  });

  test("is not taken for another block, from a peer without a request, or twice", async () => {
    const blocks = chainOf(2);
    const setting = new Setting(blocks);
    const fetched = setting.fetch();
    await setting.asked();
    expect(setting.answer(bootstrap, { hash: testHash("other") }, right)).toBe(false);
    expect(setting.answer(one, blocks[0]!, right)).toBe(false);
    expect(setting.answer(bootstrap, blocks[0]!, right)).toBe(true);
    await setting.asked();
    expect(setting.answer(bootstrap, blocks[0]!, wrong)).toBe(false);
    setting.answer(bootstrap, blocks[1]!, right);
    await fetched;
    expect(setting.events).toEqual([{ type: "entriesTaken", given: 2, made: 0, lacking: 0 }]);
  });

  test("is computed by executing the blocks, the lowest first, where no peer has it", async () => {
    const blocks = chainOf(3).reverse();
    const setting = new Setting(blocks);
    const fetched = setting.fetch();
    await setting.asked();
    for (const block of blocks) setting.answer(bootstrap, block, none);
    await fetched;
    expect(setting.made).toEqual([0, 1, 2]);
    expect(setting.events).toEqual([{ type: "entriesTaken", given: 0, made: 3, lacking: 0 }]);
  });

  test("is requested from another peer after a wrong answer", async () => {
    const blocks = chainOf(3);
    const setting = new Setting(blocks, one);
    const fetched = setting.fetch();
    await setting.asked();
    setting.answer(bootstrap, blocks[0]!, right);
    setting.answer(bootstrap, blocks[1]!, wrong);
    expect(await setting.asked()).toEqual(["one 1", "one 2"]);
    setting.answer(one, blocks[1]!, wrong);
    await fetched;
    expect(setting.events.map(({ type }) => type)).toEqual(["entryRefused", "entryRefused", "entriesTaken"]);
    expect(setting.made).toEqual([1, 2]);
  });

  test("is not waited for where nothing comes, and is reported where it cannot be computed either", async () => {
    const setting = new Setting(chainOf(2), one);
    setting.failure = "it leads to another state";
    const fetched = setting.fetch();
    for (const peer of ["bootstrap", "one"]) {
      expect(await setting.asked()).toEqual([`${peer} 0`, `${peer} 1`]);
      setting.late.at(-1)!();
    }
    await fetched;
    expect(setting.events.map(({ type }) => type)).toEqual(["entryLacking", "entryLacking", "entriesTaken"]);
    expect(setting.events.at(-1)).toMatchObject({ given: 0, made: 0, lacking: 2 });
  });

  test("is requested for a few blocks at a time", async () => {
    const blocks = chainOf(40);
    const setting = new Setting(blocks);
    const fetched = setting.fetch();
    expect((await setting.asked()).length).toBe(32);
    setting.answer(bootstrap, blocks[0]!, right);
    expect(await setting.asked()).toEqual(["bootstrap 32"]);
    setting.ended.abort();
    await expect(fetched).rejects.toBe(setting.ended.signal.reason);
  });
});
