import type { Block } from "@vedette/protocol";

/** Facts about the synchronization, for the status of the node. @spec 40 §3, §4 */
export interface SyncStatus {
  /** `waiting`: for the first connection. */
  readonly state: "waiting" | "initializing" | "running";
  /** The block that the chain began with. */
  readonly approved: Block | undefined;
  /** Highest block number of the DAG. */
  readonly height: bigint | undefined;
  /** The height of the chain that enough validators state; never below {@link height}. */
  readonly bestHeight: bigint | undefined;
  readonly peers: number;
  /** Stored blocks that wait for others. */
  readonly waitingBlocks: number;
  /** The waiting blocks of keys without stake, as far as is known; default: none. */
  readonly waitingOfUnbonded?: number;
  /** Blocks with all dependencies, which can be validated at once. */
  readonly validatableBlocks: number;
  /** Blocks of requested heights that wait in memory; default: none. @spec 40 §18 */
  readonly offeredBlocks?: number;
  /** Stored blocks that could not be judged. @spec 40 §17.3 */
  readonly unvalidatedBlocks: number;
  /** Blocks that are valid though this node had found them invalid. @spec 40 §17.4 */
  readonly revalidatedBlocks: number;
  /** The number of hashes that are requested from peers. */
  readonly requestedBlocks: number;
}
