import { setImmediate } from "node:timers/promises";
import { evidenceTag, TestValidator, testGenesis } from "@vedette/chain/testing";
import { Block, hashKey, rnodeScala } from "@vedette/protocol";
import { expect, test } from "vitest";
import type { SyncEvent } from "../SyncEvent.js";
import { systemTimers } from "../Timers.js";
import { FakePeers, testPeer } from "../testing/FakePeers.js";
import { testHash } from "../testing/testBlock.js";
import { fetchApprovedBlocks } from "./fetchApprovedBlocks.js";
import { BlockMailbox } from "./Mailbox.js";

const [bootstrap, stranger] = [testPeer("bootstrap"), testPeer("stranger")];

test.each([
  { what: "of somebody who was not asked, where nothing binds them,", binding: undefined, liar: stranger, refused: 0 },
  { what: "of somebody who was not asked, where blocks bind them,", binding: evidenceTag, liar: stranger, refused: 0 },
  { what: "of somebody who was asked, where blocks bind them,", binding: evidenceTag, liar: bootstrap, refused: 2 },
])("a copy $what with other justifications is not taken", async ({ binding, liar, refused }) => {
  const genesis = testGenesis({ v1: 100 }, binding);
  const v1 = new TestValidator("v1", genesis);
  const blocks = [genesis];
  for (let number = 1; number <= 3; number += 1) {
    v1.deploy();
    blocks.push(await v1.make());
  }
  const stored = new Map<string, Block>();
  const events: SyncEvent[] = [];
  const received = new BlockMailbox(50);
  const use = {
    ...{ peers: new FakePeers(stranger), bootstrap, received, dialect: rnodeScala, timers: systemTimers },
    blocks: {
      has: (hash: Uint8Array) => stored.has(hashKey(hash)),
      get: (hash: Uint8Array) => stored.get(hashKey(hash)),
      bytes: () => undefined,
      prepare: async () => {},
      put: (block: Block) => void stored.set(hashKey(block.hash), block),
    },
    emit: (event: SyncEvent) => void events.push(event),
    nowMs: () => 0,
  };
  const fetched = fetchApprovedBlocks(blocks[3]!, use, AbortSignal.timeout(30_000));
  await setImmediate();
  for (const block of [blocks[2]!, blocks[1]!, blocks[0]!]) {
    const justifications = block.justifications.map((one) => ({ ...one, latestBlockHash: testHash("elsewhere") }));
    if (block.number > 0n) received.put({ block: new Block({ ...block, justifications }), peer: liar });
    await setImmediate();
    received.put({ block, peer: bootstrap });
    await setImmediate();
  }
  expect((await fetched).length).toBe(4);
  expect(events.filter(({ type }) => type === "invalidHashReceived").length).toBe(refused);
  for (const block of blocks) expect(stored.get(hashKey(block.hash))?.justifications).toEqual(block.justifications);
});
