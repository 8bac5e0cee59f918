import { emptyBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";
import { type Store, StoreError, type TableName, type WritableTables } from "@vedette/store";
import { type YieldToEventLoop, yieldToEventLoop } from "../dag/yieldToEventLoop.js";
import { readEntry } from "./BlockChunks.js";
import type { BlockTable } from "./BlockTable.js";
import { readPacked } from "./packedBlocks.js";

/** Entries that are looked at in one turn. */
const entriesPerYield = 500;

/**
 * Records the blocks that have damaged bytes in a value of the store, so that they are requested from peers.
 *
 * @param damaged a value of a table that holds bytes of blocks; other tables are ignored
 * @spec 40 §6.1
 * @cost all blocks, where several blocks, or a part of one, lie in the value
 */
export async function noteDamagedBlocks(
  store: Store,
  { table, key }: { readonly table: TableName; readonly key: Uint8Array },
  yieldNow: YieldToEventLoop = yieldToEventLoop,
): Promise<void> {
  if (table === "blocks") note(store, key);
  if ((table !== "packedBlocks" && table !== "blockParts") || key.length < 9 || key[0] !== 1) return;
  const number = new DataView(key.buffer, key.byteOffset).getBigUint64(1);
  const liesThere = (value: Uint8Array) =>
    table === "packedBlocks" ? readPacked(value)?.pack === number : readEntry(value)?.number === number;
  for (let from: Uint8Array | undefined = emptyBytes; from !== undefined; await yieldNow()) {
    const found: Uint8Array[] = [];
    from = lookFrom(store, from, (hash, value) => {
      if (liesThere(value)) found.push(hash);
    });
    for (const hash of found) note(store, hash);
  }
}

/**
 * Stores a block again that was judged long ago and is missing here.
 *
 * @param block must match its hash
 * @param also writes within the same transaction
 * @spec 40 §6.1
 */
export async function restoreBlock(
  store: Store,
  blocks: Pick<BlockTable, "prepare" | "isStored" | "putIn">,
  block: Block,
  also: (tables: WritableTables) => void,
): Promise<void> {
  await blocks.prepare(block);
  store.write((tables) => {
    if (!blocks.isStored(block)) blocks.putIn(tables, block);
    tables("missingBlocks").delete(block.hash);
    also(tables);
  });
}

/** @returns where to go on; `undefined` at the end */
function lookFrom(
  store: Store,
  from: Uint8Array,
  look: (hash: Uint8Array, value: Uint8Array) => void,
): Uint8Array | undefined {
  let [last, looked] = [undefined as Uint8Array | undefined, 0];
  try {
    for (const [hash, value] of store.table("blocks").range({ from, limit: entriesPerYield })) {
      look(hash, value);
      [last, looked] = [hash, looked + 1];
    }
  } catch (error) {
    // The store reports the damaged value itself; the search goes on behind it.
    if (!(error instanceof StoreError) || error.failure.code !== "damaged" || error.failure.key === undefined)
      throw error;
    return after(error.failure.key);
  }
  return last === undefined || looked < entriesPerYield ? undefined : after(last);
}

function after(key: Uint8Array): Uint8Array {
  const next = new Uint8Array(key.length + 1);
  next.set(key);
  return next;
}

function note(store: Store, hash: Uint8Array): void {
  if (!store.table("blockMetadata").has(hash) || store.table("missingBlocks").has(hash)) return;
  store.write((tables) => tables("missingBlocks").put(hash, emptyBytes));
}
