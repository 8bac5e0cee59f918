import type { Store } from "@vedette/store";
import type { BlockReporting } from "./block/BlockReportRules.js";
import type { BlockTable } from "./block/BlockTable.js";
import type { RecordChange } from "./ChainChange.js";
import type { ChainEvent } from "./ChainEvent.js";
import type { ChainRules } from "./ChainRules.js";
import type { Dag } from "./dag/Dag.js";
import type { InitialLatestMessage } from "./dag/firstMessage.js";
import type { YieldToEventLoop } from "./dag/yieldToEventLoop.js";
import type { FinalityRules } from "./finality/FinalityRules.js";
import { cliqueFinality } from "./finality/finalizer.js";
import type { FinalStatusSources, FindFinalStatus } from "./outcome/finalDeployStatus.js";
import type { FindRejections } from "./outcome/rejectedDeploys.js";
import { arrivalRevisions, type RevisionRules } from "./revalidation/RevisionRules.js";
import { type BlockChecks, referenceChecks } from "./validation/BlockChecks.js";
import type { BlockExecution } from "./validation/BlockExecution.js";
import type { InvalidBounds } from "./validation/effects.js";

/** The parts of a chain that its consensus rules may read. */
export interface ChainParts {
  readonly dag: Dag;
  readonly blocks: BlockTable;
}

/** How a network judges blocks, and how they become final. */
export interface Consensus {
  readonly checks: BlockChecks;
  readonly finality: FinalityRules;
  /** Which invalid blocks become valid once most of the stake goes on from them; left out: none. @spec 40 §17.4 */
  readonly revisions?: RevisionRules;
  /**
   * Whether a block that is invalid only because another one came first becomes valid once a valid block builds on it;
   * default: false. @spec 61 §15.5
   */
  readonly acceptsSides?: boolean;
  /** Left out: all that a block's creator could see, as with rnode. */
  readonly invalidBlocksFor?: BlockReporting["invalidBlocksFor"];
  /** Left out: as rnode shows it. */
  readonly faultToleranceOf?: NonNullable<BlockReporting["faultToleranceOf"]>;
  /** Left out: by the merges on the way of the state, as with rnode. */
  readonly findRejections?: FindRejections;
  /** Left out: as on rnode networks. */
  readonly finalStatusFinder?: (sources: FinalStatusSources) => FindFinalStatus;
}

/** The parts of a chain, and the ports that it calls. */
export interface ChainOptions {
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly rules: ChainRules;
  readonly execution: BlockExecution;
  /** The rules by which blocks are judged and become final; default: rnode's. */
  readonly consensus?: (chain: ChainParts) => Consensus;
  /** The latest message of a validator without blocks; left out: by rnode's rule. */
  readonly firstMessage?: InitialLatestMessage;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  readonly emit?: (event: ChainEvent) => void;
  /** The event loop's turns without. */
  readonly yieldNow?: YieldToEventLoop;
  /** Writes tables that must always agree with the DAG, within the transactions that change it. */
  readonly record?: RecordChange | undefined;
  /** Awaited after this many blocks were judged and added, before the next ones are judged. */
  readonly settled?: (blocks: number) => Promise<void>;
  readonly invalidBounds?: InvalidBounds;
}

/** How rnode networks judge blocks. */
export function referenceConsensus({ faultToleranceThreshold }: ChainRules): Consensus {
  return { checks: referenceChecks, finality: cliqueFinality(faultToleranceThreshold), revisions: arrivalRevisions };
}
