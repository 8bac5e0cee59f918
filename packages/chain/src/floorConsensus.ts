import type { ChainParts, Consensus } from "./Chain.js";
import { BlockLineage } from "./finality/rust/blockLineage.js";
import type { FloorCache } from "./finality/rust/FloorCache.js";
import { Floors } from "./finality/rust/Floors.js";
import { floorFinality } from "./finality/rust/floorFinality.js";
import { StateLineage } from "./finality/rust/StateLineage.js";
import { shownTolerance } from "./finality/rust/shownTolerance.js";
import { PreStates } from "./merge/rust/PreStates.js";
import { floorRejections } from "./outcome/floorRejections.js";
import type { ProposeRules } from "./propose/ProposeRules.js";
import type { FloorProposeExecution } from "./propose/rust/FloorPlay.js";
import { floorProposing } from "./propose/rust/floorProposing.js";
import { epochSlashing } from "./slashing/rust/epochSlashing.js";
import { floorChecks } from "./validation/rust/floorChecks.js";

/** What a network of the newer node decides by, besides what its blocks say. */
export interface FloorConsensusOptions {
  readonly execution: FloorProposeExecution;
  readonly cache: FloorCache;
  /** Blocks in an epoch: what is slashed for is of the same one. */
  readonly epochLength: bigint;
  /**
   * Fault tolerance from which a block is final, in parts of a million, as it stands in a state of the chain: asked for
   * once, before the first block that has parents is judged.
   */
  readonly tolerance: (stateHash: Uint8Array) => Promise<bigint>;
}

/** How blocks are judged and become final on a network of the newer node, and what that is derived from. */
export interface FloorConsensus extends Consensus {
  readonly floors: Floors;
  readonly lineage: StateLineage;
  /** What bodies of blocks say. */
  readonly facts: BlockLineage;
  /** How blocks are made. */
  readonly proposing: ProposeRules;
  /** To be waited for before floors are derived, once there is a chain; the checks of blocks do so themselves. */
  prepare(): Promise<void>;
}

/** Puts the rules of the newer node together for one chain. @spec 61 §13–§15 */
export function floorConsensus({ dag, blocks }: ChainParts, options: FloorConsensusOptions): FloorConsensus {
  const { execution, cache, epochLength } = options;
  const facts = new BlockLineage(blocks);
  const lineage = new StateLineage(dag, facts);
  let tolerance: bigint | undefined;
  const known = (): bigint => {
    if (tolerance === undefined) throw new TypeError("the chain's fault tolerance was not asked for");
    return tolerance;
  };
  const floors = new Floors({ dag, lineage, cache, tolerance: known });
  const slashing = epochSlashing(epochLength);
  const sources = { floors, lineage, facts, slashing, execution, preStates: new PreStates() };
  const checks = floorChecks(sources);
  const prepare = async (): Promise<void> => {
    // It is the same in all states, and this one is kept where old ones are forgotten.
    const begun = dag.lastFinalized() ?? dag.approvedBlock();
    if (tolerance === undefined && begun !== undefined) tolerance = await options.tolerance(begun.postStateHash);
  };
  return {
    ...{ floors, lineage, facts, prepare, revisesVerdicts: false },
    proposing: { ...floorProposing(sources), ready: prepare },
    checks: {
      ...checks,
      async validate(block, context) {
        await prepare();
        return checks.validate(block, context);
      },
    },
    finality: floorFinality(floors, lineage),
    invalidBlocksFor: slashing.invalidBlocksFor,
    faultToleranceOf: (block, view) => shownTolerance(block, view, tolerance ?? 0n),
    findRejections: floorRejections(facts, blocks),
  };
}
