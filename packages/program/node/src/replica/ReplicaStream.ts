import type { PublisherView } from "@vedette/api";
import type { Chain } from "@vedette/chain";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Bond } from "@vedette/protocol";
import type { EntryNames } from "@vedette/queries/events";
import type { Store } from "@vedette/store";

/** The source of a replica's blocks: a stream that others publish. */
export interface ReplicaStream {
  /** Takes the stream's blocks into the chain, until the signal. @throws permanent failures */
  run(signal: AbortSignal): Promise<void>;
  view(): ReplicaStreamStatus;
}

/** How far a replica is in its stream. */
export interface ReplicaStreamStatus {
  /** Name of the server, for people. */
  readonly server: string;
  readonly isConnected: boolean;
  /** The sequence of the last message that it took; `undefined` before the first. */
  readonly sequence: number | undefined;
  /** Messages that are known to lie ahead. */
  readonly pending: number;
  /** Messages that could not be taken and were passed over, since it began. */
  readonly skipped: number;
  /**
   * Milliseconds for which it has not been at the end of the stream, or no publisher has reported the stream complete;
   * infinite before the first time.
   */
  readonly lagMs: number;
  /** Milliseconds that the last block took from the server's disk into the chain, by two clocks. */
  readonly lastTookMs: number | undefined;
  /** Why it does not go on; `undefined` where it does. */
  readonly stopReason: string | undefined;
  /** Publishers with heartbeats that arrived since it began. */
  readonly publishers: readonly PublisherView[];
}

/** The parts into which a stream's blocks are taken. */
export interface FollowingParts {
  readonly chain: Chain;
  /** As the chain's. */
  readonly store: Store;
  /** As `ChainWriteBatch.together`. */
  readonly together: (work: () => Promise<void>) => Promise<void>;
  readonly executor: ExecutorClient;
  /** Resolves when there is room on the disk, or at the signal. */
  readonly hasRoom: (signal: AbortSignal) => Promise<void>;
  /** Names the log's entries after the messages that are taken. */
  readonly names: EntryNames;
  /** Receives the bonds in a state that was taken, before the block with it is judged. */
  readonly putBonds: (root: Uint8Array, bonds: readonly Bond[]) => void;
}

/** Makes what follows a stream. */
export type FollowStream = (parts: FollowingParts) => ReplicaStream;
