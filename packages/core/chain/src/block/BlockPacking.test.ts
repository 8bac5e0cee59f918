import { emptyBytes } from "@vedette/crypto";
import { Block, encodeBlock, rnode } from "@vedette/protocol";
import { BatchingStore, MemoryStore, type Store, type TableName, tablesOf } from "@vedette/store";
import { expect, test } from "vitest";
import { heightKey } from "../dag/tableKeys.js";
import { largeCopy, partedTable } from "../testing/partedBlocks.js";
import { findBlockBytes } from "./BlockChunks.js";
import { BlockPacking } from "./BlockPacking.js";
import { BlockTable } from "./BlockTable.js";
import { compressPack, decompressPack, packKey } from "./packedBlocks.js";

/** The number of blocks that are old enough. */
const oldBlocks = 70;
const finalHeight = () => BigInt(oldBlocks + 128);

function blockAt(height: number, fill = height): Block {
  const block = largeCopy(`block ${height}`, fill % 256, 3_000);
  return new Block({ ...block, body: { ...block.body, state: { ...block.body.state, blockNumber: BigInt(height) } } });
}

function chainOf(count: number, blockOf: (height: number) => Block = blockAt) {
  const store = new MemoryStore(tablesOf("chain"));
  const table = new BlockTable(store, { form: rnode.blockForm });
  const blocks = Array.from({ length: count }, (_, height) => blockOf(height));
  for (const [height, block] of blocks.entries()) enter(store, table, height, block);
  return { store, table, blocks };
}

function enter(store: Store, table: BlockTable, height: number, block: Block): void {
  table.put(block);
  store.write((tables) => tables("blocksByHeight").put(heightKey(BigInt(height), block.hash), emptyBytes));
}

const sizeOf = (store: Store, name: TableName) =>
  [...store.table(name).range()].reduce((sum, [, value]) => sum + value.length, 0);

async function packAll(store: Store, mayBeShort = true): Promise<number> {
  const packing = new BlockPacking(store, finalHeight);
  let packed = 0;
  for (;;) {
    const count = await packing.step(mayBeShort);
    if (count === 0) return packed;
    packed += count;
  }
}

test("packed blocks are read as they were, by all readers, and the newest are not packed", async () => {
  const { store, table, blocks } = chainOf(100);
  const before = sizeOf(store, "blocks");
  expect(await packAll(store)).toBe(oldBlocks);
  expect(sizeOf(store, "packedBlocks")).toBeLessThan((before * oldBlocks) / 100 / 4);
  for (const read of [table, new BlockTable(store, { form: rnode.blockForm })]) {
    for (const [height, block] of blocks.entries()) {
      const value = store.table("blocks").get(block.hash)!;
      expect(value.length === 17).toBe(height < oldBlocks);
      expect(Buffer.compare(read.findBytes(block.hash)!, encodeBlock(block))).toBe(0);
      expect(read.find(block.hash)!.hash).toEqual(block.hash);
      expect(Buffer.compare(encodeBlock(read.read(block.hash)!), encodeBlock(block))).toBe(0);
      expect([read.has(block.hash), read.isStored(block), read.lengthOf(block.hash)]).toEqual([
        ...[true, true, encodeBlock(block).length],
      ]);
      const found = findBlockBytes((name) => store.table(name), block.hash)!;
      expect(Buffer.compare(found, encodeBlock(block))).toBe(0);
    }
  }
  expect(await packAll(store)).toBe(0);
});

test("a pack is written when it is full; the rest is written on request", async () => {
  const { store } = chainOf(100);
  expect(await packAll(store, false)).toBe(64);
  expect(store.table("packedBlocks").count()).toBe(3);
  expect(await packAll(store, true)).toBe(oldBlocks - 64);
});

test("blocks that a store holds are packed 16 below the last final one, and come to disk packed", async () => {
  const below = new MemoryStore(tablesOf("chain"));
  const store = new BatchingStore(below);
  const table = new BlockTable(store, { form: rnode.blockForm });
  const blocks = Array.from({ length: 60 }, (_, height) => blockAt(height));
  for (const [height, block] of blocks.entries()) enter(store, table, height, block);
  let final = 59n;
  const packing = new BlockPacking(store, () => final);
  expect([await packing.step(), await packing.step()]).toEqual([32, 0]);
  store.release();
  const isPacked = (height: number) => below.table("blocks").get(blocks[height]!.hash)!.length === 17;
  expect([31, 32].map(isPacked)).toEqual([true, false]);
  // Nothing is held any more: what lies so near below stays as it is.
  final = 150n;
  expect([await packing.step(), await packing.step(true)]).toEqual([0, 0]);
  final = 170n;
  expect(await packing.step(true)).toBe(10);
  for (const block of blocks) expect(table.isStored(block)).toBe(true);
});

test("another copy takes the place of a packed block, and one that comes while a pack is made stays", async () => {
  const { store, table, blocks } = chainOf(100);
  await packAll(store);
  const copy = blockAt(5, 99);
  expect(table.isStored(copy)).toBe(false);
  table.put(copy);
  expect([table.isStored(copy), table.isStored(blocks[5]!)]).toEqual([true, false]);
  expect([table.isStored(blocks[4]!), table.isStored(blocks[6]!)]).toEqual([true, true]);

  const later = chainOf(100);
  const step = new BlockPacking(later.store, finalHeight).step();
  later.table.put(copy);
  expect(await step).toBe(32);
  expect(later.table.isStored(copy)).toBe(true);
  expect(later.table.isStored(later.blocks[6]!)).toBe(true);
});

test("a writing that fails or is broken off leaves every block as it was, and the next one does it", async () => {
  const { store, table, blocks } = chainOf(100);
  const { write } = store;
  store.write = () => {
    throw new TypeError("the disk is full");
  };
  const packing = new BlockPacking(store, finalHeight);
  await expect(packing.step()).rejects.toThrow("the disk is full");
  store.write = write;
  expect(store.table("packedBlocks").count()).toBe(0);
  // A process that is killed amid the compression has written nothing.
  void packing.step();
  expect(await packAll(store)).toBe(oldBlocks);
  for (const block of blocks) expect(table.isStored(block)).toBe(true);
});

test("blocks in parts stay as they are", async () => {
  const store = new MemoryStore(tablesOf("chain"));
  const table = partedTable(store);
  const [block, small] = [largeCopy("parted", 7, 90_000), blockAt(2)];
  enter(store, table, 1, block);
  enter(store, table, 2, small);
  const parts = store.table("blockParts").count();
  expect(await packAll(store)).toBe(1);
  expect([parts, store.table("blockParts").count()]).toEqual([5, 5]);
  expect([table.isStored(block), table.lengthOf(block.hash), table.isStored(small)]).toEqual([
    ...[true, encodeBlock(block).length, true],
  ]);
});

test("blocks of one height and late ones are read, packed or not", async () => {
  const { store, table } = chainOf(100);
  const twin = blockAt(1_000);
  enter(store, table, 3, twin);
  await packAll(store);
  const late = blockAt(1_001);
  enter(store, table, 4, late);
  expect(await packAll(store)).toBe(0);
  expect([twin, late].map((block) => store.table("blocks").get(block.hash)!.length === 17)).toEqual([true, false]);
  expect([table.isStored(twin), table.isStored(late)]).toEqual([true, true]);
});

test("a pack that is missing, cut off, changed, or states a huge size makes its blocks damaged, and no others", async () => {
  const { store, blocks } = chainOf(100);
  await packAll(store);
  const good = store.table("packedBlocks").get(packKey(0n))!;
  const huge = good.slice();
  new DataView(huge.buffer).setUint32(1, 0xffff_ffff);
  const longer = good.slice();
  new DataView(longer.buffer).setUint32(1, 10);
  const bad = [undefined, emptyBytes, good.subarray(0, 4), good.subarray(0, good.length - 9), huge, longer];
  for (const value of bad) {
    store.write((tables) => {
      if (value === undefined) tables("packedBlocks").delete(packKey(0n));
      else tables("packedBlocks").put(packKey(0n), value);
    });
    const table = new BlockTable(store, { form: rnode.blockForm });
    expect(() => table.findBytes(blocks[0]!.hash)).toThrow(/^Block .{10}\.\.\. is not stored whole; check the disk/);
    expect(table.isStored(blocks[40]!)).toBe(true);
  }
});

test("a pack decompresses to no more than its stated size", async () => {
  const bomb = await compressPack(new Uint8Array(7 << 20));
  expect(bomb.length).toBeLessThan(1_000);
  expect(decompressPack(bomb)!.length).toBe(7 << 20);
  new DataView(bomb.buffer, bomb.byteOffset).setUint32(1, 1 << 20);
  expect(decompressPack(bomb)).toBeUndefined();
});
