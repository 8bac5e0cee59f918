import type { FinalDeployStatus } from "@vedette/chain";
import type { IndexChange, JudgedFacts } from "../facts/IndexBlockFacts.js";
import type { EpochLengths } from "../write/milestones.js";

/** The facts about a chain beside its blocks. */
export interface FeedFacts {
  /** Hash of the block that the chain was begun with; `undefined` before there is one. */
  readonly begunWith: string | undefined;
  readonly epoch: EpochLengths | undefined;
  /** Whether it reports the final outcome of deploys. */
  readonly reportsVerdicts?: boolean;
  /** The height from which on the node has blocks; 0: all of the chain. Earlier versions do not report it. */
  readonly blocksSince?: bigint | undefined;
  /** Whether the node is too busy now to serve the feed. */
  readonly isBusy?: boolean;
}

/** The present top of a chain. */
export interface FeedTop {
  /** After everything that has happened so far. */
  readonly cursor: string;
  /** One more than the greatest height. */
  readonly nextHeight: bigint;
}

/**
 * The changes after a cursor. `gone`: the log does not reach back to it, so that all blocks must be read again;
 * `unknown`: it is of another log, so that the chain may be another one.
 */
export type FeedChanges =
  | { readonly kind: "gone" | "unknown" }
  | {
      readonly kind: "changes";
      readonly changes: readonly IndexChange[];
      /** After them. */
      readonly cursor: string;
      /** Whether there are more. */
      readonly hasMore: boolean;
    };

/** Blocks from a height on, in their present state. */
export interface FeedBlocks {
  readonly changes: readonly IndexChange[];
  /** Where to go on; `undefined` after the last one. */
  readonly next: bigint | undefined;
  readonly top: bigint;
}

/** Supplies a chain to an index: that of this process, or another node's. */
export interface ChainFeed {
  about(): Promise<FeedFacts>;
  top(): Promise<FeedTop>;
  blocks(from: bigint): Promise<FeedBlocks>;
  changes(cursor: string): Promise<FeedChanges>;
  /** Returns the final outcome of deploys, in their order; to be called where {@link FeedFacts} require it. */
  verdicts?(deploys: readonly JudgedFacts[]): Promise<readonly (FinalDeployStatus | undefined)[]>;
  /** Resolves when something may have happened, or after a while. */
  wait(signal: AbortSignal): Promise<void>;
}
