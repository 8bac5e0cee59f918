/** A file at a place. */
export interface StoredFile {
  readonly name: string;
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly changedMs: number;
}

/** Where snapshots lie: files by name, with `/` in it. Names are ours, never from a manifest. */
export interface SnapshotStorage {
  /** The name for people. */
  readonly label: string;
  /** Writes a file; it is there whole or not at all. @throws {SnapshotError} `placeUnusable` */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /**
   * @param maxBytes a longer file is none that we wrote
   * @param signal ends the call, with its reason as the error
   * @returns `undefined` where there is none, or a longer one
   * @throws {SnapshotError} `placeUnusable`
   */
  get(name: string, maxBytes: number, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  has(name: string): Promise<boolean>;
  /** Returns the files with names that begin with this text. */
  list(beginning: string): Promise<readonly StoredFile[]>;
  delete(name: string): Promise<void>;
}
