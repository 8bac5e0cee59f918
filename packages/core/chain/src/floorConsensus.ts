import type { Block, Bond } from "@vedette/protocol";
import type { ChainParts, Consensus } from "./ChainOptions.js";
import { BlockLineage } from "./finality/f1r3node/blockLineage.js";
import { displayedFaultTolerance } from "./finality/f1r3node/displayedFaultTolerance.js";
import type { FloorCache } from "./finality/f1r3node/FloorCache.js";
import { Floors } from "./finality/f1r3node/Floors.js";
import { floorFinality } from "./finality/f1r3node/floorFinality.js";
import { StateLineage } from "./finality/f1r3node/StateLineage.js";
import { PreStates } from "./merge/f1r3node/PreStates.js";
import { floorVerdicts } from "./outcome/deployVerdict.js";
import { floorRejections } from "./outcome/floorRejections.js";
import type { FloorProposeExecution } from "./propose/f1r3node/FloorPlay.js";
import { floorProposing } from "./propose/f1r3node/floorProposing.js";
import type { ProposeRules } from "./propose/ProposeRules.js";
import { floorRevisions } from "./revalidation/RevisionRules.js";
import type { FloorRuleSet } from "./ruleSets/FloorRuleSet.js";
import { epochSlashing } from "./slashing/f1r3node/epochSlashing.js";
import type { FloorExecution } from "./validation/f1r3node/FloorExecution.js";
import { type FloorCheckSources, floorChecks } from "./validation/f1r3node/floorChecks.js";

/** The inputs by which an f1r3node network decides, besides its blocks. */
export interface FloorJudgingOptions {
  readonly execution: FloorExecution;
  readonly ruleSet: FloorRuleSet;
  readonly cache: FloorCache;
  /** Blocks in an epoch: what is slashed for is of the same one. */
  readonly epochLength: bigint;
  /**
   * Reads the fault tolerance from which a block is final, in parts of a million, from a state of the chain: called
   * once, before the first block with parents is judged.
   */
  readonly tolerance: (stateHash: Uint8Array) => Promise<bigint>;
}

/** As {@link FloorJudgingOptions}, and what makes blocks. */
export interface FloorConsensusOptions extends FloorJudgingOptions {
  readonly execution: FloorProposeExecution;
  /** Left out: no block has parents on which deploys are lost, if there are others. */
  readonly losesDeploys?: boolean | undefined;
}

/** How blocks are judged and become final on an f1r3node network, and what that is derived from. */
export interface FloorJudging extends Consensus {
  readonly floors: Floors;
  readonly lineage: StateLineage;
  /** The lineage facts in the bodies of blocks. */
  readonly facts: BlockLineage;
  /** To be waited for before floors are derived, once there is a chain; the checks of blocks do so themselves. */
  prepare(): Promise<void>;
}

/** As {@link FloorJudging}, for nodes that also make blocks. */
export interface FloorConsensus extends FloorJudging {
  readonly proposing: ProposeRules;
}

/** Puts the rules of f1r3node together for one chain. @spec 61 §13–§15 */
export function floorConsensus(parts: ChainParts, options: FloorConsensusOptions): FloorConsensus {
  const { judging, sources } = judgingOf(parts, options);
  const { execution, losesDeploys } = options;
  const proposing = { ...floorProposing({ ...sources, execution, losesDeploys }), ready: judging.prepare };
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
  }: Omit<FloorJudgingOptions, "execution"> & {
    readonly committee: (stateHash: Uint8Array) => readonly Bond[] | undefined;
  },
): FloorJudging {
  let judged: Block | undefined;
  const statedBody = () => judged!.body;
  const execution: FloorExecution = {
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
  options: FloorJudgingOptions,
): { readonly judging: FloorJudging; readonly sources: FloorCheckSources } {
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
  const checks = floorChecks(sources);
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
  const judging: FloorJudging = {
    ...{ floors, lineage, facts, prepare, revisions: floorRevisions(slashing), acceptsSides: true },
    checks: {
      ...checks,
      async validate(block, context) {
        await prepare();
        return checks.validate(block, context);
      },
    },
    finality: floorFinality(floors, lineage),
    invalidBlocksFor: slashing.invalidBlocksFor,
    faultToleranceOf: (block, view) => displayedFaultTolerance(block, view, tolerance ?? 0n),
    findRejections: floorRejections(facts, blocks),
    verdictsOf: (sources) => floorVerdicts(sources, facts),
  };
  return { judging, sources };
}
