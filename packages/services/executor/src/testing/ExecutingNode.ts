import { epochSlashing, f1r3node0445, f1r3nodeChecks } from "@vedette/chain";
import { F1r3nodeDag } from "@vedette/chain/testing";
import { equalBytes, toHex } from "@vedette/crypto";
import { type Block, encodeBlock, f1r3node } from "@vedette/protocol";
import { MemoryStore, tablesOf } from "@vedette/store";
import { f1r3nodeExecutionOf } from "../chain/f1r3nodeExecutionOf.js";
import { withBlockBytes } from "../chain/withBlockBytes.js";
import { F1r3nodeExecutor } from "../executor/F1r3nodeExecutor.js";
import { executorHere } from "./executorHere.js";

/** No recorded block equivocates. */
const equivocations = { records: () => [], isDetectedIn: () => false, isOverruled: () => false };

/** A node on an f1r3node network that has nothing but what it executed itself. */
export class ExecutingNode {
  readonly dag = new F1r3nodeDag(100_000n);
  merges = 0;
  readonly #emptyStateHash: Uint8Array;
  readonly #execution: ReturnType<typeof f1r3nodeExecutionOf>;
  readonly #checks: ReturnType<typeof f1r3nodeChecks>;

  constructor() {
    const store = new MemoryStore(tablesOf("state"));
    const states = new F1r3nodeExecutor(store);
    this.#emptyStateHash = states.makeEmptyState();
    const blocks = { findBytes: (hash: Uint8Array) => optionalBytes(this.dag.find(hash)) };
    const execution = f1r3nodeExecutionOf(withBlockBytes(executorHere(states), blocks), blocks);
    const merge: typeof execution.merge = (request) => {
      this.merges += 1;
      return execution.merge(request);
    };
    this.#execution = { ...execution, merge };
    const { floors, lineage, facts } = this.dag;
    const ruleSet = f1r3node0445;
    this.#checks = f1r3nodeChecks({
      floors,
      lineage,
      facts,
      slashing: epochSlashing(6n),
      execution: this.#execution,
      ruleSet,
    });
  }

  /** @returns the fault of the block */
  async take(block: Block): Promise<unknown> {
    const wrong = block.number === 0n ? await this.#takeGenesis(block) : await this.#check(block);
    this.dag.insert(block);
    return wrong;
  }

  async #takeGenesis(block: Block): Promise<unknown> {
    const preStateHash = this.#emptyStateHash;
    const outcome = await this.#execution.replay({ block, preStateHash, invalidBlocks: [] });
    if (outcome.kind !== "replayed") return outcome;
    const { postStateHash, bonds } = block.body.state;
    if (!equalBytes(outcome.postStateHash, postStateHash)) return { postState: toHex(outcome.postStateHash) };
    const committee = (await this.#execution.committee(outcome.postStateHash)).map(stakeText);
    return committee.join() === bonds.map(stakeText).join() ? undefined : { committee };
  }

  async #check(block: Block): Promise<unknown> {
    const { status } = await this.#checks.validate(block, {
      rules: {
        ...{ dialect: f1r3node, shardName: "root", maximumParents: 10, maximumParentDepth: 15, minimumPhloPrice: 1n },
        ...{ faultToleranceThreshold: 0.1, finalizationRate: 1, emptyStateHash: this.#emptyStateHash },
      },
      ...{ dag: this.dag.dag, equivocations, nowMs: block.header.timestamp, isAwaited: false },
      yieldNow: async () => {},
      execution: undefined as never,
    });
    return status.status === "Valid" ? undefined : status;
  }

  /** Hash of a taken block's floor, in hex. */
  floorOf(block: Block): string {
    return toHex(this.dag.floors.floorOf(this.dag.dag.require(block.hash)).hash);
  }
}

function stakeText({ validator, stake }: { readonly validator: Uint8Array; readonly stake: bigint }): string {
  return `${toHex(validator)}: ${stake}`;
}

function optionalBytes(block: Block | undefined): Uint8Array | undefined {
  return block === undefined ? undefined : encodeBlock(block);
}
