import type { Chain, DerivedFloor } from "@vedette/chain";
import type { GroupLimits } from "@vedette/executor";
import type { ExecutorClient } from "@vedette/executor/threads";
import type { Block } from "@vedette/protocol";
import type { DataDirectory } from "../machine/dataDirectory.js";
import type { RecordedNetwork } from "./RecordedChain.js";

/** Holds the states of a replay. */
export type ReplayStateStore = Pick<ExecutorClient, "importPage" | "missing" | "recordRoot" | "hasRoot" | "replay">;

/** The parts on which a recorded chain is replayed. */
export interface ReplayBackend {
  readonly chain: Chain;
  readonly states: ReplayStateStore;
  /** Announces a block that will come, so that it can be executed while others are judged. */
  announce(block: Block, parent: Block): void;
  /** Returns the final blocks by a block's past; absent if the dialect has no floors. @spec 61 §13 */
  readonly floorOf?: (hash: Uint8Array) => DerivedFloor | undefined;
}

/** Where a ground is to be. */
export interface ReplayLocation {
  readonly network: RecordedNetwork;
  readonly directory: DataDirectory;
  /** Whether states come with the recording. */
  readonly isFromState: boolean;
  /** How much is brought to disk at a time; left out: what is usual. */
  readonly groups?: Partial<GroupLimits> | undefined;
}

/** Makes a backend, and brings all to disk when its user is done. @throws {RecordedChainError}, {StoreError} */
export type ReplayBackendRunner = (
  place: ReplayLocation,
  use: (ground: ReplayBackend) => Promise<void>,
) => Promise<void>;
