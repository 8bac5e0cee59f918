// A program with recorded writes: node partedBlocksChild.js <folder>
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { LmdbStore, tablesOf } from "@vedette/store";
import { writeBlocks } from "./partedBlocks.js";

const [root = ""] = process.argv.slice(2);
const store = new LmdbStore(join(root, "data", "chain"), { tables: tablesOf("chain") });
await writeBlocks(store, 0, (count) => appendFileSync(`${root}.marks`, `${count}\n`));
await store.close();
