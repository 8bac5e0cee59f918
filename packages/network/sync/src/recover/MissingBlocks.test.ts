import { emptyBytes } from "@vedette/crypto";
import { Block, encodeBlock, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testBlock } from "../testing/testBlock.js";
import { MissingBlocks } from "./MissingBlocks.js";

const peer = testPeer("one");

function setUp(missing: readonly Block[]) {
  const store = new MemoryStore(tablesOf("chain"));
  const note = (blocks: readonly Block[]) =>
    store.write((tables) => {
      for (const { hash } of blocks) tables("missingBlocks").put(hash, emptyBytes);
    });
  note(missing);
  const peers = new FakePeers(peer);
  const events: SyncEvent[] = [];
  const blocks = {
    has: (hash: Uint8Array) => store.table("blocks").has(hash),
    get: () => undefined,
    bytes: (hash: Uint8Array) => store.table("blocks").get(hash),
    prepare: async () => {},
    put: (block: Block) => store.write((tables) => tables("blocks").put(block.hash, encodeBlock(block))),
  };
  const emit = (event: SyncEvent) => events.push(event);
  const restoring = new MissingBlocks({ store, blocks, peers, dialect: rnode, emit });
  const asked = () =>
    peers.take().map(({ message }) => (message.type === "BlockRequest" ? message.message.hash : message));
  return { store, note, blocks, events, restoring, asked };
}

const [first, second] = [testBlock(1, []), testBlock(2, [])];

test("missing blocks are requested until they come, and are stored once their hash is right", async () => {
  const { store, restoring, asked, blocks, events } = setUp([first]);
  expect([restoring.isWanted(first.hash), restoring.isWanted(second.hash)]).toEqual([true, false]);
  for (let time = 0; time < 2; time += 1) {
    restoring.ask();
    expect(asked()).toEqual([first.hash]);
  }
  const forged = new Block({ ...first, sequenceNumber: 9 });
  expect(await restoring.take(forged, peer)).toBe(true);
  expect(blocks.has(first.hash)).toBe(false);
  expect(await restoring.take(second, peer)).toBe(false);
  expect(await restoring.take(first, peer)).toBe(true);
  expect(blocks.bytes(first.hash)).toEqual(encodeBlock(first));
  expect(store.table("missingBlocks").count()).toBe(0);
  restoring.ask();
  expect(asked()).toEqual([]);
  expect(events.map(({ type }) => type)).toEqual(["invalidHashReceived", "blockRestored"]);
});

test("one that is found to be missing later is requested too; of many some at a time, each in its turn", () => {
  const { note, restoring, asked } = setUp([]);
  restoring.ask();
  expect(asked()).toEqual([]);
  const many = Array.from({ length: 20 }, (_, number) => testBlock(number, []));
  note(many);
  restoring.ask();
  const some = asked();
  restoring.ask();
  expect(some.length).toBe(16);
  expect(new Set([...some, ...asked()].map(String)).size).toBe(20);
});
