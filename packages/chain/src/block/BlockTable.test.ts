import { Block } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { testGenesis } from "../testing/ProposeNetwork.js";
import { BlockTable } from "./BlockTable.js";

const genesis = testGenesis({ v1: 1 });
const large = (fill: number) => new Block({ ...genesis, extraBytes: new Uint8Array(2 << 20).fill(fill) });

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("a large block that was stored is at hand while it is judged, and not kept for longer", () => {
  const blocks = new BlockTable(new MemoryStore(tablesOf("chain")));
  const block = large(1);
  blocks.put(block);
  expect(blocks.find(block.hash) === block).toBe(true);
  vi.advanceTimersByTime(15_000);
  const read = blocks.find(block.hash)!;
  expect(read === block).toBe(false);
  expect(Buffer.compare(read.extraBytes, block.extraBytes)).toBe(0);
});

test("a large block is stored when its very bytes are, and another copy under its hash takes its place", () => {
  const blocks = new BlockTable(new MemoryStore(tablesOf("chain")));
  const [block, copy] = [large(1), large(2)];
  blocks.put(block);
  expect([blocks.isStored(block), blocks.isStored(large(1)), blocks.isStored(copy)]).toEqual([true, true, false]);
  blocks.put(copy);
  expect(blocks.find(block.hash) === copy).toBe(true);
  expect([blocks.isStored(block), blocks.isStored(copy)]).toEqual([false, true]);
});
