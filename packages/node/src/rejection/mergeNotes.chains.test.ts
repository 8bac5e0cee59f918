import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Chain, type ChainRules } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { decodeBlock, rnodeScala } from "@vedette/protocol";
import { MemoryStore, tablesOf, type WritableTables } from "@vedette/store";
import { chainsDirectory, recordedBlocks } from "@vedette/testing";
import { describe, expect, test } from "vitest";
import { executionOf } from "../chain/executionOf.js";
import { executorHere } from "../testing/SoloValidator.js";
import { StateExecutor } from "../thread/StateExecutor.js";
import { findMergeNote, type MergeNote, noteMerge } from "./mergeNotes.js";

const directory = chainsDirectory();

/** A node that executes the recorded chain with several parents, and notes each merge. */
async function follow() {
  const network = JSON.parse(readFileSync(join(directory ?? "", "merge", "network.json"), "utf8"));
  const store = new MemoryStore(tablesOf("chain"));
  const executor = executorHere(new StateExecutor(new MemoryStore(tablesOf("state"))));
  const emptyStateHash = await executor.makeEmptyState();
  const rules: ChainRules = {
    ...{ dialect: rnodeScala, shardName: network.shard, maximumParents: network.maxNumberOfParents },
    ...{ maximumParentDepth: undefined, minimumPhloPrice: 1n, finalizationRate: 1, emptyStateHash },
    faultToleranceThreshold: network.faultToleranceThreshold,
  };
  const execution = executionOf(executor, store.table("blocks"), undefined, (...merge) => noteMerge(store, ...merge));
  const chain = new Chain({ store, rules, execution, nowMs: () => Date.now() + 10 * 365 * 86_400_000 });
  const [genesis, ...blocks] = recordedBlocks("merge").map(({ bytes }) => ({ bytes, block: decodeBlock(bytes) }));
  await executor.replay({ block: genesis!.bytes, preState: emptyStateHash, invalidBlocks: [] });
  chain.insertApproved(genesis!.block);
  for (let waiting = blocks; ; ) {
    const next = waiting.find(({ block }) => chain.missingDependencies(block).length === 0);
    if (next === undefined) return { chain, store, threshold: rules.faultToleranceThreshold };
    waiting = waiting.filter((one) => one !== next);
    await chain.process(next.block, true);
  }
}

const told = (note: MergeNote | undefined) =>
  note && {
    base: toHex(note.base),
    rejections: note.rejections.map(({ blockHash, deployId }) => `${toHex(deployId)} in ${toHex(blockHash)}`).sort(),
  };

describe.skipIf(directory === undefined)("merges of the recorded chain (skipped: ../shared is not there)", () => {
  test("what is worked out of a block is what its execution noted", async () => {
    const { chain, store, threshold } = await follow();
    const { dag } = chain;
    const tables = ((name) => store.table(name)) as WritableTables;
    const none = new MemoryStore(tablesOf("chain"));
    const withoutNotes = ((name) => (name === "merges" ? none : store).table(name)) as WritableTables;
    let merging = 0;
    for (const { hash } of dag.blocksByHeight(0n, dag.latestBlockNumber())) {
      const block = dag.require(hash);
      if (block.parents.length < 2) continue;
      merging += 1;
      const noted = findMergeNote(block, { dag, tables, threshold });
      expect(told(findMergeNote(block, { dag, tables: withoutNotes, threshold })), toHex(hash)).toEqual(told(noted));
      const rejected = new Set(noted!.rejections.map(({ deployId }) => toHex(deployId)));
      for (const id of chain.blocks.find(hash)!.body.rejectedDeploys) expect(rejected).toContain(toHex(id));
    }
    expect(merging).toBeGreaterThan(5);
    expect(store.table("merges").count()).toBe(merging);
  }, 240_000);
});
