// A program with recorded writes: node powerCutChild.js <folder>
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { LmdbStore } from "../lmdb/LmdbStore.js";
import { tablesOf } from "../tables.js";
import { work } from "./powerCutWork.js";

const [root = ""] = process.argv.slice(2);
const store = new LmdbStore(join(root, "data", "chain"), { tables: tablesOf("chain") });
work(store, (number) => appendFileSync(`${root}.marks`, `${number}\n`));
await store.close();
