import { StoreError } from "./StoreError.js";

/** Runs a work as one transaction, and gives its result, or throws what it throws with all its writes undone. */
export type Transact = <Result>(work: () => Result) => Result;

/** Writes that are one transaction; a failure of one undoes them all. */
interface WriteGroup {
  failure?: { readonly error: unknown };
}

/**
 * Serializes the writes to a store: one write at a time, each a transaction of its own or, within {@link together},
 * part of one; none once the store is closed.
 *
 * @spec 30 §5.8
 */
export class WriteSerializer {
  private readonly path: string;
  private readonly transact: Transact;
  private state: "idle" | "writing" | "closed" = "idle";
  private group: WriteGroup | undefined;

  /** @param path the path in errors */
  constructor(path: string, transact: Transact) {
    this.path = path;
    this.transact = transact;
  }

  /** Whether writes are gathered into one transaction now. */
  get isGrouped(): boolean {
    return this.group !== undefined;
  }

  /** @throws {StoreError} where the store is closed or being written; what the work throws, as it is */
  write(work: () => void): void {
    this.checkUsable(false);
    if (this.state === "writing") throw this.nested();
    const { group } = this;
    this.state = "writing";
    try {
      if (group === undefined) this.transact(work);
      else work();
    } catch (error) {
      if (group !== undefined) group.failure ??= { error };
      throw error;
    } finally {
      this.state = "idle";
    }
  }

  /** @throws {StoreError} as {@link write}; what the work or one of its writes throws, as it is */
  together<Result>(work: () => Result): Result {
    this.checkIdle();
    const group: WriteGroup = {};
    this.group = group;
    try {
      return this.transact(() => {
        const result = work();
        if (group.failure !== undefined) throw group.failure.error;
        return result;
      });
    } finally {
      this.group = undefined;
    }
  }

  /** @throws {StoreError} where the store is closed, or where a table is to be written outside of a write */
  checkUsable(forWriting: boolean): void {
    if (this.state === "closed") throw new StoreError({ code: "closed", path: this.path });
    if (forWriting && this.state !== "writing") {
      throw new StoreError({ code: "failed", path: this.path, reason: "a table is written outside of a write" });
    }
  }

  /** @throws {StoreError} where the store is closed, or within a write or a group of writes */
  checkIdle(): void {
    this.checkUsable(false);
    if (this.group !== undefined || this.state === "writing") throw this.nested();
  }

  /** @returns false where it is closed already */
  close(): boolean {
    if (this.state === "closed") return false;
    this.state = "closed";
    return true;
  }

  private nested(): StoreError {
    return new StoreError({ code: "failed", path: this.path, reason: "nested write" });
  }
}

/** Runs a work, and has the tables keep what it wrote, or drop it where it throws. */
export function commitOrRollback<Result>(
  tables: ReadonlyMap<unknown, { finish(keep: boolean): void }>,
  work: () => Result,
): Result {
  let done = false;
  try {
    const result = work();
    done = true;
    return result;
  } finally {
    for (const table of tables.values()) table.finish(done);
  }
}
