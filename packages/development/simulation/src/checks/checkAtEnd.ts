import { type BlockFinality, type ChainRules, finalityOf } from "@vedette/chain";
import { equalBytes, toHex } from "@vedette/crypto";
import { hashKey, shortHash } from "@vedette/protocol";
import { findMissing, StateStore } from "@vedette/tuplespace";
import type { SimulatedNode } from "../node/SimulatedNode.js";
import type { PlannedNode } from "../run/SimulationRequest.js";
import type { Workload } from "../workload/Workload.js";
import { checkAccounts } from "./checkAccounts.js";
import { checkEventLog } from "./checkEventLog.js";
import { checkMemory } from "./checkMemory.js";
import type { FinalEffects } from "./FinalEffects.js";
import type { InvariantChecker } from "./InvariantChecker.js";
import { type Check, SimulationFailure } from "./SimulationFailure.js";

/** The data that are checked after all faults have ended. */
export interface EndFacts {
  /** Without the liars. */
  readonly nodes: readonly { readonly planned: PlannedNode; readonly node: SimulatedNode }[];
  readonly oracle: InvariantChecker;
  readonly workload: Workload;
  readonly effects: FinalEffects;
  /** A height that all are to find final. */
  readonly target: bigint;
}

/** A property that does not hold yet. */
export interface Unsettled {
  readonly check: Check;
  readonly detail: string;
  /** A node that has not made a block. */
  readonly silent?: SimulatedNode;
}

/** @returns the property that does not hold yet */
export function findUnsettled(facts: EndFacts): Unsettled | undefined {
  const { nodes, oracle, target } = facts;
  const behind = nodes.filter(({ node }) => {
    const last = node.isRunning ? node.process?.chain.dag.lastFinalized() : undefined;
    return last === undefined || last.number < target;
  });
  if (behind.length > 0) {
    const states = behind.map(({ node }) => `${node.name} ${stateOf(node)}`).join(", ");
    return {
      check: "finality goes on",
      detail: `height ${target} is not final to ${states}; the top is ${oracle.top.number}`,
    };
  }
  return unfinishedIndex(facts) ?? lostDeploy(facts) ?? silentValidator(facts);
}

/** Checks that change nothing and need everything to be at rest. @throws {SimulationFailure} */
export function checkAtEnd({ nodes, oracle, effects }: EndFacts, rules: ChainRules): void {
  checkFinality(nodes);
  for (const { node } of nodes) {
    const { chain } = node.process!;
    const last = chain.dag.lastFinalized()!;
    if (!oracle.isFinal(last.hash)) oracle.finalizes(node.name, last.hash);
    checkMemory(node, rules);
    checkEventLog(node.name, { log: node.process!.log, chain, store: node.disk.memory.chain });
    effects.checkFinalStatuses(node.name, chain);
    effects.checkNoted(node.name, { chain, store: node.disk.memory.chain });
    if (node.process!.accounts !== undefined) checkAccounts(node.name, { chain, store: node.disk.memory.chain });
    const missing = findMissing(new StateStore(node.disk.memory.state), last.postStateHash);
    if (missing.nodes.length > 0)
      throw new SimulationFailure("a state is whole", `${node.name} lacks parts of ${shortHash(last.postStateHash)}`);
  }
}

/** Checks that no node reports a block as final that another one reports as forked away. @throws {SimulationFailure} */
function checkFinality(nodes: EndFacts["nodes"]): void {
  const decided = new Map<string, { readonly finality: BlockFinality; readonly name: string }>();
  for (const { node } of nodes) {
    const { dag } = node.process!.chain;
    for (const block of dag.blocksByHeight(0n, dag.nextBlockNumber())) {
      const finality = finalityOf(dag.require(block.hash), dag, node.disk.memory.chain);
      if (finality === "pending") continue;
      const before = decided.get(hashKey(block.hash));
      if (before !== undefined && before.finality !== finality)
        throw new SimulationFailure(
          "nodes report what is in the state",
          `${before.name} reports ${shortHash(block.hash)} as ${before.finality}, ${node.name} as ${finality}`,
        );
      decided.set(hashKey(block.hash), { finality, name: node.name });
    }
  }
}

function unfinishedIndex({ nodes }: EndFacts): Unsettled | undefined {
  for (const { node } of nodes) {
    const { done, total } = node.process?.accounts?.progress() ?? { done: 0, total: 0 };
    if (done === total) continue;
    return { check: "an index is what a rebuild is", detail: `${node.name} has ${done} blocks of ${total} in it` };
  }
  return undefined;
}

function lostDeploy({ oracle, workload }: EndFacts): Unsettled | undefined {
  for (const [key, { deploy, by, expiresAt }] of workload.accepted)
    if (!oracle.finalDeploys.has(key) && oracle.top.number < expiresAt + 1n)
      return {
        check: "accepted deploys become final",
        detail: `${toHex(deploy.signature).slice(0, 16)} that ${by} took ("${deploy.term}", until height ${expiresAt})`,
      };
  return undefined;
}

/** Finds a validator without a recent block in the DAG of the first node. */
function silentValidator({ nodes, oracle, target }: EndFacts): Unsettled | undefined {
  const [{ node } = { node: undefined }] = nodes;
  const dag = node?.process?.chain.dag;
  if (dag === undefined) return undefined;
  for (const { planned, node: one } of nodes) {
    const key = one.facts.key;
    if (key === undefined || planned.role !== "validator") continue;
    const latest = dag.latestMessage(hashKey(key.publicKey));
    const block = latest === undefined ? undefined : dag.find(latest);
    if (block === undefined || block.number < target - 3n || !equalBytes(block.sender, key.publicKey))
      return {
        check: "every validator that is honest goes on",
        detail: `the last block of ${one.name} has height ${block?.number} of ${oracle.top.number}`,
        silent: one,
      };
  }
  return undefined;
}

function stateOf({ process }: SimulatedNode): string {
  if (process?.isAlive !== true) return "(not running)";
  const { state, height, waitingBlocks, requestedBlocks, validatableBlocks, peers } = process.engine.value.status();
  const final = process.chain.dag.lastFinalized()?.number;
  const notYet = process.catchUp.reason === undefined ? "" : `, ${process.catchUp.reason}`;
  return `(${state}, height ${height}, final ${final}, ${waitingBlocks}+${requestedBlocks}+${validatableBlocks} blocks, ${peers} peers${notYet})`;
}
