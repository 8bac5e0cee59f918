import { epochSlashing, floorChecks } from "@vedette/chain";
import { type NewerBlockFacts, NewerDag, newerChain } from "@vedette/chain/testing";
import { toHex } from "@vedette/crypto";
import { FloorStates } from "@vedette/execution";
import { type Block, rnodeRust } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { rustSpace, StateStore } from "@vedette/tuplespace";
import { expect, test } from "vitest";
import { floorExecutionOf } from "./floorExecutionOf.js";

const isHere = newerChain("trio-r") !== undefined;
const skipped = isHere ? "" : " (skipped: not here)";

/** No recorded block equivocates. */
const equivocations = { records: () => [], isDetectedIn: () => false, isOverruled: () => false };

/** A node that has nothing but what it executed itself. */
class ExecutingNode {
  readonly dag = new NewerDag(100_000n);
  merges = 0;
  private readonly emptyStateHash: Uint8Array;
  private readonly execution: ReturnType<typeof floorExecutionOf>;
  private readonly checks: ReturnType<typeof floorChecks>;

  constructor() {
    const store = new MemoryStore(tablesOf("state"));
    const states = new FloorStates(store, new StateStore(store, { form: rustSpace }));
    this.emptyStateHash = states.makeEmpty();
    const execution = floorExecutionOf(states, this.dag);
    const merge: typeof execution.merge = (request) => {
      this.merges += 1;
      return execution.merge(request);
    };
    this.execution = { ...execution, merge };
    const { floors, lineage, facts } = this.dag;
    this.checks = floorChecks({ floors, lineage, facts, slashing: epochSlashing(6n), execution: this.execution });
  }

  /** @returns what is wrong with the block */
  async take(block: Block): Promise<unknown> {
    const wrong = block.number === 0n ? await this.takeGenesis(block) : await this.check(block);
    this.dag.insert(block);
    return wrong;
  }

  private async takeGenesis(block: Block): Promise<unknown> {
    const { emptyStateHash: preStateHash } = this;
    const outcome = await this.execution.replay({ block, preStateHash, invalidBlocks: [] });
    if (outcome.kind !== "replayed") return outcome;
    expect(toHex(outcome.postStateHash)).toBe(toHex(block.body.state.postStateHash));
    expect(await this.execution.committee(outcome.postStateHash)).toEqual(block.body.state.bonds);
    return undefined;
  }

  private async check(block: Block): Promise<unknown> {
    const { status } = await this.checks.validate(block, {
      rules: {
        ...{ dialect: rnodeRust, shardName: "root", maximumParents: 10, maximumParentDepth: 15, minimumPhloPrice: 1n },
        ...{ faultToleranceThreshold: 0.1, finalizationRate: 1, emptyStateHash: this.emptyStateHash },
      },
      ...{ dag: this.dag.dag, equivocations, nowMs: block.header.timestamp, isAwaited: false },
      breath: async () => {},
      execution: undefined as never,
    });
    return status.status === "Valid" ? undefined : status;
  }

  floorOf(block: Block): string {
    return toHex(this.dag.floors.floorOf(this.dag.dag.require(block.hash)).hash);
  }
}

/** What a block states, by the names that the recording has for it. */
function statementsOf({ body }: Block): Partial<NewerBlockFacts> {
  return {
    mergeBase: toHex(body.mergeBase ?? new Uint8Array(0)),
    appliedFromScope: (body.appliedFromScope ?? []).map(toHex),
    rejectedDeploys: body.rejectedDeploys.map(({ signature, duplicate = false, carrier = new Uint8Array(0) }) => ({
      id: toHex(signature),
      duplicate,
      carrier: toHex(carrier),
    })),
  };
}

test.skipIf(!isHere)(`every block of trio-r is valid on what was executed of those before it${skipped}`, async () => {
  const node = new ExecutingNode();
  let taken = 0;
  for (const { block, facts } of newerChain("trio-r")!) {
    const name = `#${facts.number} ${facts.hash.slice(0, 8)}`;
    expect({ name, wrong: await node.take(block) }).toEqual({ name, wrong: undefined });
    const { mergeBase, appliedFromScope, rejectedDeploys } = facts;
    expect(statementsOf(block)).toEqual({ mergeBase, appliedFromScope, rejectedDeploys });
    expect(node.floorOf(block)).toBe(facts.floor);
    taken += 1;
  }
  expect(taken).toBe(25);
  expect(node.merges).toBe(14);
});
