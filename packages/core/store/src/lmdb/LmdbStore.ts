import type { Database, RootDatabase, RootDatabaseOptionsWithPath } from "lmdb";
import { TransactionSpaceCheck } from "../freeSpace/TransactionSpaceCheck.js";
import type { ReadableTable, Store, Table, WritableTables } from "../Store.js";
import { StoreError } from "../StoreError.js";
import { openDamageChannel, reportDamage } from "../seal/damagedValues.js";
import { Seal } from "../seal/Seal.js";
import type { TableName } from "../tables.js";
import { WriteSerializer } from "../WriteSerializer.js";
import { checkBeforeOpening, checkLength } from "./dataDirectory.js";
import { checkFormat } from "./formatMark.js";
import { LmdbTable, pagesOf, type TableCheck, type TreeFacts } from "./LmdbTable.js";
import { databaseOptions } from "./layout.js";
import { open } from "./library.js";
import { damagedValue, storeFailure } from "./storeFailure.js";

/** How an environment is opened. */
export interface LmdbOptions {
  readonly tables: readonly TableName[];
  /** Address space set aside at first, {@link mapSizeBytes} without; it grows by itself when the data does. */
  readonly mapSizeBytes?: number;
  /** Another thread or process may write at the same time. The environment must exist. */
  readonly readOnly?: boolean;
  /**
   * Whether the file is checked before LMDB, which trusts what it reads, opens it. No process may write the file during
   * the check. Default: `true` where it is opened for writing.
   */
  readonly looksThrough?: boolean;
  /** Room of the file system that no transaction begins to take, in bytes: with less, nothing is put. None, without. */
  readonly reserveBytes?: number | undefined;
  /** Called before each transaction begins; what it throws, the write throws. */
  readonly beforeWrite?: (() => void) | undefined;
}

/** The usage of one table. */
export interface TableUsage {
  readonly entries: number;
  /** Whole pages: what its keys and values take, with the room that is left in them. */
  readonly sizeBytes: number;
}

/** The disk usage of a store. */
export interface StoreUsage {
  readonly fileBytes: number;
  /** Within the file, and no longer used: what is written next goes there. */
  readonly freeBytes: number;
  /** Tables that the file has not got yet are left out. */
  readonly tables: ReadonlyMap<TableName, TableUsage>;
}

/**
 * Address space for a store's file: more than it needs for years. When the file outgrows its mapping, the library
 * adds another one and keeps the old, so that the process seems to hold every page several times.
 */
const mapSizeBytes = process.platform === "win32" ? undefined : 2 ** 36;

/** The library's facts about an environment. */
interface EnvironmentFacts {
  readonly pageSize?: number;
  readonly lastPageNumber?: number;
  readonly root?: TreeFacts;
  readonly free?: TreeFacts;
}

/** The pages of the file's head, and of the table with the format. */
const ownPages = 3;

/**
 * A store on disk: one LMDB environment in a directory of its own.
 *
 * One thread writes; others open the same directory for reading. A kill at any moment leaves the state after
 * some whole transaction. @spec 30 §5.8
 */
export class LmdbStore implements Store {
  private readonly path: string;
  private readonly readOnly: boolean;
  /** All that makes the file grow passes here. */
  readonly room: TransactionSpaceCheck;
  private readonly environment: RootDatabase<Uint8Array, Uint8Array>;
  private readonly tables = new Map<TableName, LmdbTable>();
  private readonly turns: WriteSerializer;
  readonly #beforeWrite: LmdbOptions["beforeWrite"];
  /** Whether each value has a checksum; without, they were written by an earlier version. */
  readonly isSealed: boolean;

  /** @throws {StoreError} when the directory is missing, foreign, damaged, of another format, or not accessible */
  constructor(path: string, options: LmdbOptions) {
    this.path = path;
    this.turns = new WriteSerializer(path, (work) => this.transact(work));
    this.readOnly = options.readOnly ?? false;
    this.#beforeWrite = options.beforeWrite;
    this.room = new TransactionSpaceCheck(path, options.reserveBytes ?? 0);
    const looksThrough = options.looksThrough ?? !this.readOnly;
    checkBeforeOpening(path, { readOnly: this.readOnly, looksThrough }, options.tables);
    this.environment = this.openEnvironment(options);
    try {
      checkLength(path, this.environment);
      this.isSealed = checkFormat(path, this.environment, options);
      if (this.isSealed) openDamageChannel();
      for (const name of options.tables)
        this.tables.set(name, new LmdbTable(this.openTable(name), this, this.checkOf(name)));
    } catch (cause) {
      void this.close();
      throw storeFailure(path, cause);
    }
  }

  table(name: TableName): ReadableTable {
    return this.requireTable(name);
  }

  write(work: (tables: WritableTables) => void): void {
    if (this.readOnly) throw new StoreError({ code: "readOnly", path: this.path });
    this.turns.write(() => work((name): Table => this.requireTable(name)));
  }

  together<Result>(work: () => Result): Result {
    return this.turns.together(work);
  }

  /** Lets a reader see what other threads have written since; happens by itself at each turn of the event loop. */
  refresh(): void {
    this.environment.resetReadTxn();
  }

  async sync(): Promise<void> {
    // Each transaction is flushed before it returns; this waits for what the library may still do by itself.
    await this.environment.flushed;
  }

  /** Returns the usage of the file and of each of its opened tables. */
  usage(): StoreUsage {
    this.checkUsable(false);
    const facts: EnvironmentFacts = this.environment.getStats();
    const pageBytes = facts.pageSize ?? 4096;
    const tables = new Map<TableName, TableUsage>();
    let usedPages = ownPages + pagesOf(facts.free) + pagesOf(facts.root);
    for (const [name, table] of this.tables) {
      const { pages, entries } = table.usage() ?? {};
      if (pages === undefined || entries === undefined) continue;
      usedPages += pages;
      tables.set(name, { entries, sizeBytes: pages * pageBytes });
    }
    const fileBytes = ((facts.lastPageNumber ?? 0) + 1) * pageBytes;
    return { fileBytes, freeBytes: Math.max(0, fileBytes - usedPages * pageBytes), tables };
  }

  /** Writes all that is in it into an empty folder, without what is free. @throws {StoreError} */
  async copyTo(folder: string): Promise<void> {
    this.checkUsable(false);
    try {
      await this.environment.backup(folder, true);
    } catch (cause) {
      throw storeFailure(folder, cause);
    }
  }

  async close(): Promise<void> {
    if (this.turns.close()) await this.environment.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Called by the tables: whether reading, and writing, is possible now. */
  checkUsable(forWriting: boolean): void {
    this.turns.checkUsable(forWriting);
  }

  /** @throws the work's error unchanged, and a {@link StoreError} if the transaction fails */
  private transact<Result>(work: () => Result): Result {
    this.#beforeWrite?.();
    this.room.begin();
    let failure: unknown;
    try {
      return this.environment.transactionSync(() => {
        try {
          return work();
        } catch (error) {
          failure = error;
          throw error;
        }
      });
    } catch (cause) {
      throw failure === cause ? cause : storeFailure(this.path, cause);
    }
  }

  private requireTable(name: TableName): LmdbTable {
    const table = this.tables.get(name);
    if (table === undefined) throw new StoreError({ code: "unknownTable", table: name });
    return table;
  }

  private openEnvironment(options: LmdbOptions): RootDatabase<Uint8Array, Uint8Array> {
    const mapSize = options.mapSizeBytes ?? mapSizeBytes;
    try {
      const environment: RootDatabaseOptionsWithPath = {
        path: this.path,
        ...databaseOptions,
        maxDbs: 64,
        readOnly: this.readOnly,
        overlappingSync: false,
      };
      // The library takes a size that is undefined for one that is given.
      if (mapSize !== undefined) environment.mapSize = mapSize;
      return open<Uint8Array, Uint8Array>(environment);
    } catch (cause) {
      throw storeFailure(this.path, cause);
    }
  }

  private checkOf(table: TableName): TableCheck | undefined {
    if (!this.isSealed) return undefined;
    const { path } = this;
    const damaged = (key: Uint8Array) => {
      reportDamage({ path, table, key });
      return damagedValue(path, table, key);
    };
    return { seal: new Seal(table), damaged };
  }

  private openTable(name: TableName): Database<Uint8Array, Uint8Array> | undefined {
    // A read-only environment gives nothing for a table that its writer has not made.
    return this.environment.openDB<Uint8Array, Uint8Array>({ name, ...databaseOptions });
  }
}
