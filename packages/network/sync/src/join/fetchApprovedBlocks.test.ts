import { setImmediate } from "node:timers/promises";
import { evidenceTag, TestValidator, testGenesis } from "@vedette/chain/testing";
import { Block, hashKey, rnode } from "@vedette/protocol";
import { expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers, type Timers } from "../Timers.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { fetchApprovedBlocks } from "./fetchApprovedBlocks.js";
import { BlockMailbox } from "./Mailbox.js";

const [bootstrap, stranger] = [testPeer("bootstrap"), testPeer("stranger")];

/** Makes genesis and this many blocks of one validator. */
async function chainOf(length: number, binding?: Uint8Array): Promise<readonly Block[]> {
  const genesis = testGenesis({ v1: 100 }, binding);
  const v1 = new TestValidator("v1", genesis);
  const blocks = [genesis];
  for (let number = 1; number <= length; number += 1) {
    v1.deploy();
    blocks.push(await v1.make());
  }
  return blocks;
}

/** A copy of a block with justifications that name unknown blocks. */
function changed(block: Block): Block {
  const justifications = block.justifications.map((one) => ({ ...one, latestBlockHash: testHash("elsewhere") }));
  return new Block({ ...block, justifications });
}

function settingWith(peers: FakePeers, nowMs: () => number, timers: Timers) {
  const stored = new Map<string, Block>();
  const events: SyncEvent[] = [];
  const received = new BlockMailbox(50);
  const use = {
    ...{ peers, bootstrap, received, dialect: rnode, timers, nowMs },
    blocks: {
      has: (hash: Uint8Array) => stored.has(hashKey(hash)),
      get: (hash: Uint8Array) => stored.get(hashKey(hash)),
      bytes: () => undefined,
      prepare: async () => {},
      put: (block: Block) => void stored.set(hashKey(block.hash), block),
    },
    emit: (event: SyncEvent) => void events.push(event),
  };
  return { use, stored, received, events };
}

test.each([
  { what: "of a peer without a request, where nothing binds them,", binding: undefined, liar: stranger, refused: 0 },
  { what: "of a peer without a request, where blocks bind them,", binding: evidenceTag, liar: stranger, refused: 0 },
  { what: "of a peer with a request, where blocks bind them,", binding: evidenceTag, liar: bootstrap, refused: 2 },
])("a copy $what with other justifications is not taken", async ({ binding, liar, refused }) => {
  const blocks = await chainOf(3, binding);
  const { use, stored, received, events } = settingWith(new FakePeers(stranger), () => 0, systemTimers);
  const fetched = fetchApprovedBlocks(blocks[3]!, use, new AbortController().signal);
  await setImmediate();
  for (const block of [blocks[2]!, blocks[1]!, blocks[0]!]) {
    if (block.number > 0n) received.put({ block: changed(block), peer: liar });
    await setImmediate();
    received.put({ block, peer: bootstrap });
    await setImmediate();
  }
  expect((await fetched).length).toBe(4);
  expect(events.filter(({ type }) => type === "invalidHashReceived").length).toBe(refused);
  for (const block of blocks) expect(stored.get(hashKey(block.hash))?.justifications).toEqual(block.justifications);
});

test("blocks of a liar while the bootstrap is silent are doubted, and requested anew from others", async () => {
  const blocks = await chainOf(5);
  const byHash = new Map(blocks.map((block) => [hashKey(block.hash), block]));
  const [liar, honest] = [testPeer("liar"), testPeer("honest")];
  const peers = new FakePeers(liar, honest);
  const clock = { nowMs: 0, later: [] as { readonly atMs: number; readonly action: () => void }[] };
  const timers: Timers = {
    after(ms, action) {
      const timer = { atMs: clock.nowMs + ms, action };
      clock.later.push(timer);
      return () => void (clock.later = clock.later.filter((one) => one !== timer));
    },
    yieldNow: async () => {},
  };
  const { use, stored, received } = settingWith(peers, () => clock.nowMs, timers);
  const state = { isDone: false };
  const fetched = fetchApprovedBlocks(blocks[5]!, use, new AbortController().signal);
  void fetched.finally(() => void (state.isDone = true));
  let lies = 0;
  for (let round = 0; round < 2_000 && !state.isDone; round += 1) {
    await setImmediate();
    for (const { to, message } of peers.take()) {
      if (message.type !== "BlockRequest") continue;
      const block = byHash.get(hashKey(message.message.hash));
      if (block === undefined || to === bootstrap.host) continue;
      const isLie = to === liar.host && block.number > 0n;
      lies += isLie ? 1 : 0;
      received.put({ block: isLie ? changed(block) : block, peer: to === liar.host ? liar : honest });
      await setImmediate();
    }
    clock.nowMs += 125;
    const due = clock.later.filter(({ atMs }) => atMs <= clock.nowMs);
    clock.later = clock.later.filter(({ atMs }) => atMs > clock.nowMs);
    for (const { action } of due) action();
  }
  expect(lies).toBeGreaterThan(0);
  expect((await fetched).map(({ number }) => number)).toEqual([5n, 4n, 3n, 2n, 1n, 0n]);
  for (const block of blocks) expect(stored.get(hashKey(block.hash))?.justifications).toEqual(block.justifications);
});
