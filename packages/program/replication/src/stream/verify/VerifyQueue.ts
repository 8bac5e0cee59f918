/** A task that is leased to a worker. */
export interface TaskLease {
  readonly subject: string;
  readonly bytes: Uint8Array;
  /** How many have taken it, this one included. */
  readonly deliveries: number;
  /** Keeps the lease for its whole time again. */
  extend(): void;
  /** The task is done, and gone for good. */
  finish(): Promise<void>;
  /** Another worker may take it after a while. */
  giveBack(afterMs: number): void;
}

/** Tasks that several processes share, and what came of them. */
export interface VerifyQueue extends AsyncDisposable {
  readonly label: string;
  /** Milliseconds that a task is reserved for its worker; more with each {@link TaskLease.extend}. */
  readonly leaseMs: number;
  /** Connects; makes what is not there. @throws {StreamError} `unusable`, `otherStream` */
  open(): Promise<void>;
  /** @returns false where a task of this key is there already @throws {StreamError} `unusable` */
  add(key: string, bytes: Uint8Array): Promise<boolean>;
  /** Waits a while for a task. @throws {StreamError} `unusable` */
  take(): Promise<TaskLease | undefined>;
  /** Puts a result in the place of an earlier one of the same key. @throws {StreamError} `unusable` */
  report(key: string, bytes: Uint8Array): Promise<void>;
  /** The last result of each key that was reported since the last call; all at first. @throws {StreamError} `unusable` */
  results(): Promise<readonly { readonly subject: string; readonly bytes: Uint8Array }[]>;
  /** Publishes how far the verification is. @throws {StreamError} `unusable` */
  publishProgress(bytes: Uint8Array): Promise<void>;
  /** Returns the progress that was published last. @throws {StreamError} `unusable` */
  lastProgress(): Promise<Uint8Array | undefined>;
  /** Forgets all tasks and results. @throws {StreamError} `unusable` */
  clear(): Promise<void>;
}
