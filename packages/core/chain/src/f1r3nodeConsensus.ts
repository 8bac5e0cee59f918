import type { Block, Bond } from "@vedette/protocol";
import type { ChainParts, Consensus } from "./ChainOptions.js";
import { BlockLineage } from "./finality/f1r3node/blockLineage.js";
import { displayedFaultTolerance } from "./finality/f1r3node/displayedFaultTolerance.js";
import type { FloorCache } from "./finality/f1r3node/FloorCache.js";
import { Floors } from "./finality/f1r3node/Floors.js";
import { f1r3nodeFinality } from "./finality/f1r3node/f1r3nodeFinality.js";
import { StateLineage } from "./finality/f1r3node/StateLineage.js";
import { PreStates } from "./merge/f1r3node/PreStates.js";
import { f1r3nodeRejections } from "./outcome/f1r3nodeRejections.js";
import { f1r3nodeFinalStatus } from "./outcome/finalDeployStatus.js";
import type { F1r3nodeProposeExecution } from "./propose/f1r3node/F1r3nodePlay.js";
import { f1r3nodeProposing } from "./propose/f1r3node/f1r3nodeProposing.js";
import type { ProposeRules } from "./propose/ProposeRules.js";
import { f1r3nodeRevisions } from "./revalidation/RevisionRules.js";
import type { F1r3nodeRuleSet } from "./ruleSets/F1r3nodeRuleSet.js";
import { epochSlashing } from "./slashing/f1r3node/epochSlashing.js";
import type { F1r3nodeBlockExecution } from "./validation/f1r3node/F1r3nodeBlockExecution.js";
import { type F1r3nodeCheckSources, f1r3nodeChecks } from "./validation/f1r3node/f1r3nodeChecks.js";

/** The inputs by which an f1r3node network decides, besides its blocks. */
export interface F1r3nodeJudgingOptions {
  readonly execution: F1r3nodeBlockExecution;
  readonly ruleSet: F1r3nodeRuleSet;
  readonly cache: FloorCache;
  /** Blocks in an epoch: what is slashed for is of the same one. */
  readonly epochLength: bigint;
  /**
   * Reads the fault tolerance from which a block is final, in parts of a million, from a state of the chain: called
   * once, before the first block with parents is judged.
   */
  readonly tolerance: (stateHash: Uint8Array) => Promise<bigint>;
}

/** As {@link F1r3nodeJudgingOptions}, and what makes blocks. */
export interface F1r3nodeConsensusOptions extends F1r3nodeJudgingOptions {
  readonly execution: F1r3nodeProposeExecution;
  /** Left out: no block has parents on which deploys are lost, if there are others. */
  readonly losesDeploys?: boolean | undefined;
}

/** How blocks are judged and become final on an f1r3node network, and what that is derived from. */
export interface F1r3nodeJudging extends Consensus {
  readonly floors: Floors;
  readonly lineage: StateLineage;
  /** The lineage facts in the bodies of blocks. */
  readonly facts: BlockLineage;
  /** To be waited for before floors are derived, once there is a chain; the checks of blocks do so themselves. */
  prepare(): Promise<void>;
}

/** As {@link F1r3nodeJudging}, for nodes that also make blocks. */
export interface F1r3nodeConsensus extends F1r3nodeJudging {
  readonly proposing: ProposeRules;
}

/** Puts the rules of f1r3node together for one chain. @spec 61 §13–§15 */
export function f1r3nodeConsensus(parts: ChainParts, options: F1r3nodeConsensusOptions): F1r3nodeConsensus {
  const { judging, sources } = judgingOf(parts, options);
  const { execution, losesDeploys } = options;
  const proposing = { ...f1r3nodeProposing({ ...sources, execution, losesDeploys }), ready: judging.prepare };
  return { ...judging, proposing };
}

/**
 * Makes the rules of f1r3node for one chain, for a node that trusts the stated results of execution and merges. All
 * other checks run. Blocks are judged one after the other.
 *
 * @param options `committee`: the bonds of the active validators in a state; `undefined` where the state is not stored,
 *   so that the bonds which a block states are used
 * @spec 61 §13–§15
 */
export function statedFloors(
  parts: ChainParts,
  {
    committee,
    ...options
  }: Omit<F1r3nodeJudgingOptions, "execution"> & {
    readonly committee: (stateHash: Uint8Array) => readonly Bond[] | undefined;
  },
): F1r3nodeJudging {
  let judged: Block | undefined;
  const statedBody = () => judged!.body;
  const execution: F1r3nodeBlockExecution = {
    async merge() {
      const { state, rejectedDeploys: records, appliedFromScope: applied = [] } = statedBody();
      return { stateHash: state.preStateHash, records, applied, unslashed: [] };
    },
    replay: async ({ block }) => ({ kind: "replayed", postStateHash: block.body.state.postStateHash }),
    committee: async (stateHash) => committee(stateHash) ?? statedBody().state.bonds,
  };
  const { judging } = judgingOf(parts, { ...options, execution });
  const { checks } = judging;
  return {
    ...judging,
    checks: {
      ...checks,
      validate(block, context) {
        judged = block;
        return checks.validate(block, context);
      },
    },
  };
}

function judgingOf(
  { dag, blocks }: ChainParts,
  options: F1r3nodeJudgingOptions,
): { readonly judging: F1r3nodeJudging; readonly sources: F1r3nodeCheckSources } {
  const { execution, ruleSet, cache, epochLength } = options;
  const facts = new BlockLineage(blocks);
  const lineage = new StateLineage(dag, facts);
  let tolerance: bigint | undefined;
  const known = (): bigint => {
    if (tolerance === undefined) throw new TypeError("the chain's fault tolerance was not read");
    return tolerance;
  };
  const floors = new Floors({ dag, lineage, cache, tolerance: known });
  const slashing = epochSlashing(epochLength);
  const sources = { floors, lineage, facts, slashing, execution, ruleSet, preStates: new PreStates() };
  const checks = f1r3nodeChecks(sources);
  const prepare = async (): Promise<void> => {
    if (tolerance !== undefined) return;
    const first = dag.approvedBlock();
    // It is the same in all states, and this one is kept where old ones are forgotten.
    const begun = dag.lastFinalized() ?? first;
    if (begun === undefined) return;
    tolerance = await options.tolerance(begun.postStateHash).catch((error: unknown) => {
      // It may be damaged.
      if (first === undefined || first === begun) throw error;
      return options.tolerance(first.postStateHash);
    });
  };
  const judging: F1r3nodeJudging = {
    ...{ floors, lineage, facts, prepare, revisions: f1r3nodeRevisions(slashing), acceptsSides: true },
    checks: {
      ...checks,
      async validate(block, context) {
        await prepare();
        return checks.validate(block, context);
      },
    },
    finality: f1r3nodeFinality(floors, lineage),
    invalidBlocksFor: slashing.invalidBlocksFor,
    faultToleranceOf: (block, view) => displayedFaultTolerance(block, view, tolerance ?? 0n),
    findRejections: f1r3nodeRejections(facts, blocks),
    finalStatusFinder: (sources) => f1r3nodeFinalStatus(sources, facts),
  };
  return { judging, sources };
}
