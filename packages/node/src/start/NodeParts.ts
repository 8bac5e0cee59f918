import type { Config } from "@vedette/config";
import type { Log } from "@vedette/log";
import type { LmdbStore } from "@vedette/store";
import type { Executor, ReaderPool } from "@vedette/workers";
import type { Meters } from "../observe/meters.js";
import type { DevelopmentPart } from "./DevelopmentPart.js";
import type { DataDirectory } from "./dataDirectory.js";
import type { ValidatorIdentity } from "./validatorIdentity.js";

/** What a node is started with. */
export interface NodeOptions {
  readonly config: Config;
  readonly log: Log;
  /** Ends the node. */
  readonly signal: AbortSignal;
  readonly readerThreads: number;
  readonly exploreTimeoutMs: number;
  readonly meters: Meters;
  /** Opens the file of the validator's key, where that is encrypted. */
  readonly keyPassword?: string | undefined;
  /** On a chain for development only. */
  readonly development?: DevelopmentPart | undefined;
}

/** What a node runs on, whatever chain its directory has: opened before it, and closed after it. */
export interface NodeGround extends NodeOptions {
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** `undefined` for an observer. */
  readonly validator: ValidatorIdentity | undefined;
  readonly directory: DataDirectory;
  readonly executor: Executor;
  /** Calls that it works on, or that wait for it. */
  readonly executorCalls: () => number;
  readonly readers: ReaderPool;
  readonly emptyStateHash: Uint8Array;
}

/** All that a node runs on. */
export interface NodeParts extends NodeGround {
  /** Of its chain. */
  readonly store: LmdbStore;
}
