import { type Block, f1r3node } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { describe, expect, test } from "vitest";
import type { ChainRules } from "../../ChainRules.js";
import { EquivocationTable } from "../../equivocation/EquivocationTable.js";
import { f1r3node0445 } from "../../ruleSets/f1r3node0445.js";
import { epochSlashing } from "../../slashing/f1r3node/epochSlashing.js";
import { F1r3nodeDag, f1r3nodeChain } from "../../testing/f1r3nodeChain.js";
import type { F1r3nodeBlockExecution } from "./F1r3nodeBlockExecution.js";
import { f1r3nodeChecks } from "./f1r3nodeChecks.js";

/** Finds what a block states, as if it had been executed. */
class StatedStates implements F1r3nodeBlockExecution {
  block!: Block;
  merges = 0;

  async merge() {
    this.merges += 1;
    const { state, rejectedDeploys: records, appliedFromScope: applied = [] } = this.block.body;
    return { stateHash: state.preStateHash, records, applied, unslashed: [] };
  }

  async replay() {
    return { kind: "replayed", postStateHash: this.block.body.state.postStateHash } as const;
  }

  async committee() {
    return this.block.body.state.bonds;
  }
}

const rules: ChainRules = {
  dialect: f1r3node,
  shardName: "root",
  maximumParents: 10,
  maximumParentDepth: 15,
  minimumPhloPrice: 1n,
  faultToleranceThreshold: 0.1,
  finalizationRate: 1,
  emptyStateHash: new Uint8Array(32),
};

describe.each([
  ["solo-r", 0n, 0, 10n],
  ["trio-r", 100_000n, 14, 6n],
])(`chain %s of the newer node`, (chain, tolerance, merging, epochLength) => {
  test("every block passes f1r3node's checks, if execution finds what it states", async () => {
    const node = new F1r3nodeDag(tolerance);
    const execution = new StatedStates();
    const slashing = epochSlashing(epochLength);
    const checks = f1r3nodeChecks({
      ...{ floors: node.floors, lineage: node.lineage, slashing, facts: node.facts, execution },
      ruleSet: f1r3node0445,
    });
    const equivocations = new EquivocationTable(new MemoryStore(tablesOf("chain")));
    let judged = 0;
    for (const { block, facts } of f1r3nodeChain(chain)) {
      execution.block = block;
      if (block.number > 0n) {
        const nowMs = block.header.timestamp;
        const { status } = await checks.validate(block, {
          ...{ rules, dag: node.dag, equivocations, nowMs, isAwaited: false },
          yieldNow: async () => {},
          execution: undefined as never,
        });
        expect({ hash: facts.hash, status: status.status }).toEqual({ hash: facts.hash, status: "Valid" });
        judged += 1;
      }
      node.insert(block);
    }
    expect(judged).toBe(f1r3nodeChain(chain).length - 1);
    expect(execution.merges).toBe(merging);
  });
});
