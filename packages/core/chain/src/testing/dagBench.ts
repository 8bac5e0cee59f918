import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Block, hashKey, rnode } from "@vedette/protocol";
import { LmdbStore, tablesOf } from "@vedette/store";
import { BlockTable } from "../block/BlockTable.js";
import { Dag } from "../dag/Dag.js";
import { updateFinality } from "../finality/finalityEffects.js";
import { cliqueFinality } from "../finality/finalizer.js";
import { estimateTips } from "../forkChoice/estimator.js";
import { TestDag } from "./TestDag.js";

// `node packages/core/chain/dist/testing/dagBench.js --blocks 100000 --validators 4` puts made-up blocks into a DAG on disk,
// chooses forks and looks for finality after each, and prints what the index holds a block, what that costs, and how
// long the DAG takes to open again. `--stalled` lets one validator alone speak after the first tenth, so that nothing
// more becomes final.
const { values } = parseArgs({
  options: {
    blocks: { type: "string", default: "20000" },
    validators: { type: "string", default: "4" },
    stalled: { type: "boolean", default: false },
  },
});
const [blocks, validators] = [Number(values.blocks), Number(values.validators)];
const names = Array.from({ length: validators }, (_, index) => `v${index}`);
const threshold = 0.1;
const together = 100;
const reports = 5;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;
const folder = mkdtempSync(join(tmpdir(), "vedette-dag-"));
try {
  await run(join(folder, "chain"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function run(path: string): Promise<void> {
  const maker = new TestDag(Object.fromEntries(names.map((name) => [name, 1])));
  {
    await using store = new LmdbStore(path, { tables: tablesOf("chain") });
    const dag = new Dag(store);
    const table = new BlockTable(store, { form: rnode.blockForm });
    dag.insert(maker.genesis, { invalid: false, approved: true });
    const known: Record<string, Block> = Object.fromEntries(names.map((name) => [name, maker.genesis]));
    let tip = maker.genesis;
    const step = (number: number): number => {
      const creator = values.stalled && number > blocks / 10 ? names[0]! : names[number % names.length]!;
      tip = maker.make({ creator, parents: [tip], justifications: known, timestamp: BigInt(number) });
      maker.forget(tip);
      known[creator] = tip;
      const begun = process.cpuUsage();
      dag.insert(tip, { invalid: false, approved: false });
      const limits = { maximumParents: 1, maximumParentDepth: undefined };
      const { tips } = estimateTips(dag, dag.approvedBlock()!, dag.latestMessages(), limits);
      if (hashKey(tips[0]!) !== hashKey(tip.hash)) throw new TypeError("the chain has forked");
      updateFinality({ dag, blocks: table, rules: cliqueFinality(threshold), emit: () => {} });
      const { user, system } = process.cpuUsage(begun);
      return user + system;
    };
    measure(store, step);
    print("last finalized", Number(dag.lastFinalized()!.number), "");
  }
  await using store = new LmdbStore(path, { tables: tablesOf("chain") });
  const begun = performance.now();
  const dag = new Dag(store);
  dag.lastFinalized();
  print("opening again", performance.now() - begun, "ms");
}

/** Measures each fifth alone, since the first one also fills caches. @param step returns processor microseconds */
function measure(store: LmdbStore, step: (number: number) => number): void {
  let before = heldBytes();
  for (let part = 0; part < reports; part += 1) {
    const [from, to] = [part, part + 1].map((index) => Math.floor((blocks * index) / reports)) as [number, number];
    let us = 0;
    for (let number = from; number < to; number += together)
      store.together(() => {
        for (let one = number; one < Math.min(to, number + together); one += 1) us += step(one + 1);
      });
    const after = heldBytes();
    print(`held after ${to} blocks`, after / 1e6, "MB");
    print("  of these, for each more block", (after - before) / (to - from), "B");
    print("  inserting, fork choice, finality", us / (to - from), "µs/block");
    before = after;
  }
}

function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

function print(what: string, value: number, unit: string): void {
  process.stdout.write(`${what.padEnd(48)}${value.toFixed(1).padStart(12)} ${unit}\n`);
}
