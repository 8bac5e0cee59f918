import type { Config } from "@vedette/config";
import type { Log } from "@vedette/config/log";
import type { ExecutorClient, PieceSource, ReaderPool } from "@vedette/executor/threads";
import type { SharedCounter } from "@vedette/server";
import type { Store } from "@vedette/store";
import type { NodeDialect } from "../dialect/NodeDialect.js";
import type { DataDirectory } from "../machine/dataDirectory.js";
import type { LowDiskGate } from "../machine/LowDiskGate.js";
import type { Meters } from "../observe/meters.js";
import type { DevChainHooks } from "./DevChainHooks.js";
import type { ValidatorIdentity } from "./validatorIdentity.js";

/** The options with which a node is started. */
export interface NodeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Ends the node. */
  readonly signal: AbortSignal;
  readonly readerThreads: number;
  /** Longest time of one query on a state, exploratory deploys apart. */
  readonly queryTimeoutMs: number;
  readonly meters: Meters;
  /** Opens the file of the validator's key, where that is encrypted. */
  readonly keyPassword?: string | undefined;
  /** Where all members of a fleet count requests together; left out: this one counts alone. */
  readonly sharedCounter?: SharedCounter | undefined;
}

/** The options with which a node's resources are opened. */
export interface NodeResourcesOptions extends Omit<NodeOptions, "queryTimeoutMs"> {
  /** Whether peers connect to its ports; not on a chain for development. */
  readonly hasPeers: boolean;
  /** Whether it has an identity of its own, and may have a validator's key; a replica has neither. */
  readonly hasKeys: boolean;
  /** Whether its blocks are executed; a replica's were. Yes, without. */
  readonly executes?: boolean;
  /** Where what is absent from the states comes from, when they are another chain's. */
  readonly pieces?: PieceSource | undefined;
}

/** The resources of a node, for any chain in its directory: opened before the chain, and closed after it. */
export interface NodeResources extends NodeResourcesOptions {
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** `undefined` for an observer. */
  readonly validator: ValidatorIdentity | undefined;
  readonly directory: DataDirectory;
  /** The gate that all writing passes. */
  readonly room: LowDiskGate;
  /** The dialect of its network. */
  readonly dialect: NodeDialect;
  readonly executor: ExecutorClient;
  /** Whether it may hold states in memory for a while. */
  readonly mayHold: boolean;
  /** Calls that it works on, or that wait for it. */
  readonly executorCalls: () => number;
  readonly readers: ReaderPool;
  readonly emptyStateHash: Uint8Array;
}

/** A node that can be run, on a chain that is not open yet. */
export interface NodeSetup extends NodeResources {
  readonly queryTimeoutMs: number;
  /** On a chain for development only. */
  readonly development?: DevChainHooks | undefined;
}

/** All that a node runs on. */
export interface NodeParts extends NodeSetup {
  /** The store of its chain. */
  readonly store: Store;
}
