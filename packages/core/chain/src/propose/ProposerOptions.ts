import type { Block, BlockSigner, DeployKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { Chain } from "../Chain.js";
import { type BlockLimits, defaultBlockLimits } from "./blockRoom.js";
import type { ProposeConstraints } from "./constraints.js";
import type { DeployPool } from "./DeployPool.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import type { ProposeRules } from "./ProposeRules.js";

/** The parts that a proposer works with. */
export interface ProposerOptions {
  readonly chain: Chain;
  /** Has the tables of the chain environment. */
  readonly store: Store;
  readonly pool: DeployPool;
  readonly rules: ProposeRules;
  /** The validator's. */
  readonly key: BlockSigner;
  readonly constraints: ProposeConstraints;
  /** Whether blocks without deploys are made; so where there is a heartbeat. @spec 40 §9.6, §13 */
  readonly allowEmpty: boolean;
  /** Signs the filler deploy of dev mode. @spec 40 §9.5 */
  readonly dummyKey?: DeployKey | undefined;
  /**
   * Whether blocks are slashed for also where no other validator is seen to find them invalid; left out: no. Without
   * effect where blocks are judged by evidence. @spec 40 §17.5
   */
  readonly slashesUnconfirmed?: boolean | undefined;
  readonly limits?: Partial<ProposeLimits>;
  /** How often each validator makes a block, in milliseconds; left out: as usual. */
  readonly turnMs?: number | undefined;
  /**
   * How long one deploy may be executed, in milliseconds, where no other validator waits for the blocks; left out: as the
   * rhythm of the network allows.
   */
  readonly longestDeployMs?: number | undefined;
  /** Why nothing may be proposed yet, above all that the blocks of peers are not known; `undefined`: it may. */
  readonly whyNotYet?: () => string | undefined;
  /** Sends a block, which is on disk by then, to peers. */
  readonly announce: (block: Block) => void;
  readonly emit: EmitProposeEvent;
  /** Unix milliseconds. */
  readonly nowMs: () => number;
  /** A clock that is never set. */
  readonly monotonicMs: () => number;
}

/** The limits of a block. */
export interface ProposeLimits extends BlockLimits {
  /** When the system deploys of a block are given up. */
  readonly maximumSystemMs: number;
}

export const defaultLimits: ProposeLimits = { ...defaultBlockLimits, maximumSystemMs: 15_000 };
