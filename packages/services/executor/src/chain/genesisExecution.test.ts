import { Chain, genesisFirst } from "@vedette/chain";
import { f1r3nodeGenesisCase } from "@vedette/chain/testing";
import { F1r3nodeStates } from "@vedette/execution";
import { f1r3node } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { f1r3nodeSpace, StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { F1r3nodeExecutor } from "../executor/F1r3nodeExecutor.js";
import { executorHere } from "../testing/executorHere.js";
import { f1r3nodeExecutionOf, genesisExecution } from "./f1r3nodeExecutionOf.js";

test("a chain of f1r3node begins with all bonded validators, of which only some are active", async () => {
  const made = new MemoryStore(tablesOf("state"));
  const states = new F1r3nodeStates(made, new StateStore(made, { form: f1r3nodeSpace }));
  const block = f1r3nodeGenesisCase(states, {
    stakes: { v1: 3, v2: 2, v3: 1 },
    parameters: { numberOfActiveValidators: 2 },
  });
  expect(block.body.state.bonds).toHaveLength(3);
  const floor = new F1r3nodeExecutor(new MemoryStore(tablesOf("state")));
  const executor = executorHere(floor);
  const execution = genesisExecution(f1r3nodeExecutionOf(executor, { findBytes: () => undefined }), executor);
  const chain = new Chain({
    ...{ store: new MemoryStore(tablesOf("chain")), nowMs: () => 0, firstMessage: genesisFirst, execution },
    rules: {
      ...{ dialect: f1r3node, shardName: "root", maximumParents: 10, maximumParentDepth: 15, minimumPhloPrice: 1n },
      ...{ faultToleranceThreshold: 0, finalizationRate: 1, emptyStateHash: floor.makeEmptyState() },
    },
  });
  const approved = { candidate: { block, requiredSignatures: 0 }, signatures: [] };
  expect(await chain.adoptGenesis(approved)).toBeUndefined();
  expect(chain.dag.lastFinalized()?.number).toBe(0n);
  expect(floor.bonds(block.body.state.postStateHash)).toHaveLength(2);
});
