import { blake2b256 } from "@vedette/crypto";
import { Block, rnode } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { BlockTable } from "../block/BlockTable.js";
import { testGenesis } from "./ProposeNetwork.js";

/** The length of the parts of blocks in tests. */
export const testPartBytes = 20_000;

const genesis = testGenesis({ v1: 1 });

/** A copy of the block under a name; the fill identifies its bytes. */
export function largeCopy(name: string, fill: number, extraBytes: number): Block {
  const hash = blake2b256(new TextEncoder().encode(name));
  return new Block({ ...genesis, hash, extraBytes: new Uint8Array(extraBytes).fill(fill) });
}

/** Blocks of one part and of several, and other copies in the place of some. */
export const writings: readonly Block[] = [
  largeCopy("one", 1, 90_000),
  largeCopy("two", 2, 100),
  largeCopy("one", 3, 50_000),
  largeCopy("three", 4, 130_000),
  largeCopy("two", 5, 60_000),
  largeCopy("three", 6, 100),
  largeCopy("four", 7, 30_000),
];

/** A table of blocks in short parts. */
export function partedTable(store: Store, yieldNow?: () => Promise<void>): BlockTable {
  return new BlockTable(store, { partBytes: testPartBytes, yieldNow, form: rnode.blockForm });
}

/** Does the writings from one on, one after the other, and calls `done` after each. */
export async function writeBlocks(store: Store, from: number, done: (count: number) => void): Promise<void> {
  const table = partedTable(store);
  for (let index = from; index < writings.length; index += 1) {
    await table.prepare(writings[index]!);
    table.put(writings[index]!);
    done(index + 1);
  }
}
