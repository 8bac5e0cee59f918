import type { PoolEntry } from "./PoolEntry.js";
import type { FilterReason } from "./ProposeEvent.js";

/** Which deploys of the pool can be in a new block. @spec 40 §9.3, §9.5, 61 §14.2, §17 */
export interface DeployAdmission {
  /** Why a deploy's own times keep it out. */
  timeReason(entry: PoolEntry): FilterReason | undefined;
  /** Whether it is in a block below, so that the new block must not contain it. */
  isInScope(entry: PoolEntry): boolean;
  /** Whether a merge gave it up, and it may come again. */
  isRetry(entry: PoolEntry): boolean;
}
