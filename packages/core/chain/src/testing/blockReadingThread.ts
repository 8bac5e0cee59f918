// A thread that reads a block again and again while another one writes copies of it: what it finds each time.
import { setImmediate as turn } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { LmdbStore, tablesOf } from "@vedette/store";
import { partedTable } from "./partedBlocks.js";

/** The thread's input. At its end it posts how often it found each copy, by its fill; "none", or "half". */
export interface ReadingTask {
  readonly directory: string;
  readonly hash: Uint8Array;
  /** Becomes 1 when the reading shall end. */
  readonly isOver: Int32Array;
}

const { directory, hash, isOver }: ReadingTask = workerData;
const store = new LmdbStore(directory, { tables: tablesOf("chain"), readOnly: true });
const table = partedTable(store);
const found: Record<string, number> = {};

function look(): string {
  try {
    const block = table.read(hash);
    if (block === undefined) return "none";
    const [fill = -1] = block.extraBytes;
    return block.extraBytes.every((byte) => byte === fill) ? `${fill} ${block.extraBytes.length}` : "half";
  } catch (error) {
    return String(error);
  }
}

while (Atomics.load(isOver, 0) === 0) {
  const seen = look();
  if (found[seen] === undefined) parentPort?.postMessage({ seen });
  found[seen] = (found[seen] ?? 0) + 1;
  await turn();
}
await store.close();
parentPort?.postMessage({ found });
