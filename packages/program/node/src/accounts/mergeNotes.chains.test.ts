import { readFileSync } from "node:fs";
import { join } from "node:path";
import { BlockTable, Chain, type ChainRules, findMergeNote, type MergeNote, noteMerge } from "@vedette/chain";
import { toHex } from "@vedette/crypto";
import { executionOf, RnodeExecutor } from "@vedette/executor";
import { executorHere } from "@vedette/executor/testing";
import { decodeBlock, rejectedIdsOf, rnode } from "@vedette/protocol";
import { MemoryStore, tablesOf, type WritableTables } from "@vedette/store";
import { chainDirectory, chainsThatAreThere, ownChain, recordedBlocks } from "@vedette/testing";
import { describe, expect, test } from "vitest";

/** A node that executes a chain with several parents, and notes each merge. */
async function follow(name: string) {
  const network = JSON.parse(readFileSync(join(chainDirectory(name), "network.json"), "utf8"));
  const store = new MemoryStore(tablesOf("chain"));
  const executor = executorHere(new RnodeExecutor(new MemoryStore(tablesOf("state"))));
  const emptyStateHash = await executor.makeEmptyState();
  const rules: ChainRules = {
    ...{ dialect: rnode, shardName: network.shard, maximumParents: network.maxNumberOfParents },
    ...{ maximumParentDepth: undefined, minimumPhloPrice: 1n, finalizationRate: 1, emptyStateHash },
    faultToleranceThreshold: network.faultToleranceThreshold,
  };
  const execution = executionOf(executor, new BlockTable(store, { form: rnode.blockForm }), undefined, {
    onMerge: (...merge) => noteMerge(store, ...merge),
  });
  const chain = new Chain({ store, rules, execution, nowMs: () => Date.now() + 10 * 365 * 86_400_000 });
  const [genesis, ...blocks] = recordedBlocks(name).map(({ bytes }) => ({
    bytes,
    block: decodeBlock(bytes, rnode.blockForm),
  }));
  await executor.replay({ block: genesis!.bytes, preState: emptyStateHash, invalidBlocks: [] });
  chain.insertApproved(genesis!.block);
  for (let waiting = blocks; ; ) {
    const next = waiting.find(({ block }) => chain.missingDependencies(block).length === 0);
    if (next === undefined) return { chain, store, threshold: rules.faultToleranceThreshold };
    waiting = waiting.filter((one) => one !== next);
    await chain.process(next.block, true);
  }
}

const textsOf = (note: MergeNote | undefined) =>
  note && {
    base: toHex(note.base),
    rejections: note.rejections.map(({ blockHash, deployId }) => `${toHex(deployId)} in ${toHex(blockHash)}`).sort(),
  };

describe.each(chainsThatAreThere("merge"))("merges of the chain %s", (name) => {
  test("what is worked out of a block is what its execution noted", async () => {
    const { chain, store, threshold } = await follow(name);
    const { dag } = chain;
    const tables = ((name) => store.table(name)) as WritableTables;
    const none = new MemoryStore(tablesOf("chain"));
    const withoutNotes = ((name) => (name === "merges" ? none : store).table(name)) as WritableTables;
    let merging = 0;
    for (const { hash } of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
      const block = dag.require(hash);
      if (block.parents.length < 2) continue;
      merging += 1;
      const noted = findMergeNote(block, { dag, tables, threshold });
      expect(textsOf(findMergeNote(block, { dag, tables: withoutNotes, threshold })), toHex(hash)).toEqual(
        textsOf(noted),
      );
      const rejected = new Set(noted!.rejections.map(({ deployId }) => toHex(deployId)));
      for (const id of rejectedIdsOf(chain.blocks.find(hash)!.body)) expect(rejected).toContain(toHex(id));
    }
    expect(merging).toBe(name === ownChain ? 4 : 12);
    expect(store.table("merges").count()).toBe(merging);
  });
});
