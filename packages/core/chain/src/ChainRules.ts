import type { Dialect } from "@vedette/protocol";

/** Value of `maximumParents` that means no limit. @spec 40 §11 */
export const unlimitedParents = 2147483647;

/**
 * Heights after `validAfterBlockNumber` at which a deploy has expired: it may be in blocks from + 1 to + 49.
 *
 * @spec 40 §5.3, §11
 */
export const deployLifespan = 50n;

/** Bounds on the parents of a block. */
export interface ParentLimits {
  /** {@link unlimitedParents}: no limit. */
  readonly maximumParents: number;
  /** The maximum distance of a parent below the highest; `undefined`: no limit. */
  readonly maximumParentDepth: number | undefined;
}

/** The rules that all validators of a network must configure alike. @spec 40 §5, §13 */
export interface ChainRules extends ParentLimits {
  readonly dialect: Dialect;
  readonly shardName: string;
  readonly minimumPhloPrice: bigint;
  /** Fault tolerance above which a block is final. */
  readonly faultToleranceThreshold: number;
  /** Finality is computed after each block with a number that is a multiple of this. */
  readonly finalizationRate: number;
  /** State before genesis. @spec 30 §8 */
  readonly emptyStateHash: Uint8Array;
}
