import { emptyBytes } from "@vedette/crypto";
import { encodeBlock } from "@vedette/protocol";
import { ownChain } from "@vedette/testing";
import { expect, test } from "vitest";
import { readRecording, TestSyncNode } from "../testing/TestSyncNode.js";

test("a node gets the lost bytes of blocks from a peer, also those that are found later", async () => {
  const recording = readRecording(ownChain);
  await using whole = await new TestSyncNode(recording).load(recording);
  await whole.start();
  await using damaged = await new TestSyncNode(recording, { bootstrap: whole.peer }).load(recording);
  const { chain: store } = damaged.disk;
  const lose = (hashes: readonly Uint8Array[]) =>
    store.write((tables) => {
      for (const hash of hashes) {
        tables("blocks").delete(hash);
        tables("missingBlocks").put(hash, emptyBytes);
      }
    });
  const isWhole = () => store.table("missingBlocks").count() === 0;
  const [first, ...others] = recording.blocks.slice(1, 6);
  lose([first!.hash]);
  await damaged.start();
  await damaged.until(isWhole);
  lose(others.map(({ hash }) => hash));
  await damaged.until(isWhole);
  for (const block of [first!, ...others]) {
    const found = damaged.chain.blocks.findBytes(block.hash);
    expect(found !== undefined && Buffer.compare(found, encodeBlock(block)) === 0).toBe(true);
  }
});
