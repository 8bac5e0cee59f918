import type { Block } from "@vedette/protocol";

/** Facts about the synchronization, for the status of the node. @spec 40 §3, §4 */
export interface SyncStatus {
  /** `waiting`: for the first connection. */
  readonly state: "waiting" | "initializing" | "running";
  /** The block that the chain began with. */
  readonly approved: Block | undefined;
  /** Highest block number of the DAG. */
  readonly height: bigint | undefined;
  /** How high the chain is, as far as enough validators say so; never below {@link height}. */
  readonly bestHeight: bigint | undefined;
  readonly peers: number;
  /** Stored blocks that wait for others. */
  readonly waitingBlocks: number;
  /** Of these, those of keys without stake, as far as is known; left out: none. */
  readonly strangersWaiting?: number;
  /** Blocks that can be validated at once. */
  readonly readyBlocks: number;
  /** Blocks of heights that peers were asked for, which wait in memory; left out: none. @spec 40 §18 */
  readonly offeredBlocks?: number;
  /** Stored blocks that could not be judged. @spec 40 §17.3 */
  readonly unvalidatedBlocks: number;
  /** Blocks that are valid though this node had found them invalid. @spec 40 §17.4 */
  readonly revalidatedBlocks: number;
  /** Hashes that peers are asked for. */
  readonly requestedBlocks: number;
}
