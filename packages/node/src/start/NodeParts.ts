import type { LmdbStore } from "@vedette/store";
import type { Config } from "../config/keys.js";
import type { Log } from "../observe/logger.js";
import type { Meters } from "../observe/meters.js";
import type { Executor } from "../thread/executor.js";
import type { ReaderPool } from "../thread/ReaderPool.js";
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
}

/** What a node runs on: opened before it, and closed after it. */
export interface NodeParts extends NodeOptions {
  readonly identity: { readonly certificatePem: string; readonly privateKeyPem: string };
  /** `undefined` for an observer. */
  readonly validator: ValidatorIdentity | undefined;
  readonly directory: DataDirectory;
  readonly executor: Executor;
  /** Calls that it works on, or that wait for it. */
  readonly executorCalls: () => number;
  readonly store: LmdbStore;
  readonly readers: ReaderPool;
  readonly emptyStateHash: Uint8Array;
}
