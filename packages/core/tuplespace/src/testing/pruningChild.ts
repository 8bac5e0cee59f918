// A program of its own that makes states and prunes them until it is killed: node pruningChild.js <folder> <seed>
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { blake2b256, fromHex, toHex } from "@vedette/crypto";
import { LmdbStore, tablesOf } from "@vedette/store";
import { StatePruning } from "../history/StatePruning.js";
import { StateStore } from "../history/StateStore.js";
import { emptyRoot, updateTree } from "../history/updateTree.js";
import type { Leaf } from "../leaf/Leaf.js";

const [folder = "", seed = "1"] = process.argv.slice(2);
const kept = 12;
const markingMs = 4;
const journal = join(folder, "journal");
const roots = existsSync(journal)
  ? readFileSync(journal, "utf8")
      .split("\n")
      .filter((line) => line.length === 64)
  : [];
const store = new LmdbStore(join(folder, "state"), { tables: tablesOf("state") });
const states = new StateStore(store);
const pruning = new StatePruning(store, states, () => performance.now());
let number = roots.length;
for (;;) {
  for (let made = 0; made < 6; made += 1) commit();
  const gone = roots.splice(0, Math.max(0, roots.length - kept)).filter((root) => !roots.includes(root));
  pruning.forget(gone.map(fromHex), BigInt(number));
  for (let phase = "", slices = 0; phase !== "done"; slices += 1) {
    // One slice of a table at a time, and many nodes, so that about as many kills come amid the one as amid the other.
    ({ phase } = pruning.step(true, phase === "sweeping" ? 0 : markingMs));
    process.stdout.write(`${phase}\n`);
    // Others write meanwhile.
    if (slices % 8 === 7) commit();
  }
}

function commit(): void {
  number += 1;
  const of = (text: string) => blake2b256(new TextEncoder().encode(text));
  const before = roots.at(-1);
  const count = before === undefined ? 400 : 6;
  const texts = Array.from({ length: count }, (_, index) => `${seed} ${number % 40} ${index}`);
  const actions = texts.map((text, index) => ({
    key: of(`key ${(index * 61 + (before === undefined ? 0 : number * 17)) % 400}`),
    value: of(text),
  }));
  const { root, newNodes } = updateTree(states, before === undefined ? emptyRoot : fromHex(before), actions);
  const newLeaves = texts.map((text) => ({
    leaf: { hash: of(text), memoryBytes: 100 } as unknown as Leaf,
    bytes: new TextEncoder().encode(text),
  }));
  states.commit({ root, newNodes, newLeaves });
  roots.push(toHex(root));
  appendFileSync(journal, `${toHex(root)}\n`);
}
