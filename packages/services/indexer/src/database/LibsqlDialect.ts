import {
  type CompiledQuery,
  type DatabaseConnection,
  type DatabaseIntrospector,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type Kysely,
  type QueryCompiler,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import Libsql from "libsql/promise";
import { IndexError } from "../IndexError.js";

/** How a file is opened. */
export interface LibsqlOptions {
  readonly path: string;
  /** Whether it refuses all writes. */
  readonly isReadOnly?: boolean;
}

/** The used parts of the library, which has no types of its own for them. */
interface LibsqlStatement {
  readonly reader: boolean;
  run(...parameters: readonly unknown[]): Promise<{ readonly changes: number }>;
  iterate(...parameters: readonly unknown[]): Promise<AsyncIterable<Record<string, unknown>>>;
  raw(toggle: boolean): this;
  columns(): readonly { readonly name: string }[];
}

interface LibsqlDatabase {
  prepare(sql: string): Promise<LibsqlStatement>;
  exec(sql: string): Promise<void>;
  defaultSafeIntegers(toggle: boolean): void;
  interrupt(): void;
  close(): void;
}

/** The result of a query. */
export interface LibsqlTable {
  readonly columns: readonly string[];
  readonly rows: AsyncIterable<readonly unknown[]>;
}

/** Statements that are kept ready. */
const keptStatements = 200;
/** How long a writer waits for another one. */
const busyMs = 10_000;

/**
 * SQLite through the library libsql, for the query builder.
 *
 * Its option `readonly` does nothing (0.5.29), so that a file is opened for reading by its address. Integers are
 * `bigint` in rows.
 */
export class LibsqlDialect implements Dialect {
  readonly #options: LibsqlOptions;

  constructor(options: LibsqlOptions) {
    this.#options = options;
  }

  createDriver(): Driver {
    return new LibsqlDriver(this.#options);
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler();
  }

  createAdapter(): DialectAdapter {
    return new LibsqlAdapter();
  }

  // biome-ignore lint/suspicious/noExplicitAny: as the interface has it.
  createIntrospector(db: Kysely<any>): DatabaseIntrospector {
    return new SqliteIntrospector(db);
  }
}

/** Tables are made within a transaction: a kill leaves all of them or none. */
class LibsqlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true;
  }
}

/** One connection, given to one user after the other. */
class LibsqlDriver implements Driver {
  readonly #options: LibsqlOptions;
  #connection: LibsqlConnection | undefined;
  #last: Promise<void> = Promise.resolve();
  #release: () => void = () => {};

  constructor(options: LibsqlOptions) {
    this.#options = options;
  }

  async init(): Promise<void> {
    this.#connection = await openLibsql(this.#options);
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#last;
    let release = () => {};
    this.#last = new Promise((resolve) => {
      release = resolve;
    });
    await before;
    this.#release = release;
    return this.#connection!;
  }

  async releaseConnection(): Promise<void> {
    this.#release();
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as LibsqlConnection).execute("begin immediate");
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as LibsqlConnection).execute("commit");
  }

  /** Some failures, such as a full disk, end the transaction by themselves: then the first error is reported, not this one. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await (connection as LibsqlConnection).execute("rollback");
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  async destroy(): Promise<void> {
    this.#connection?.close();
  }
}

/** @throws {IndexQueryError} `cannotOpen` */
export async function openLibsql({ path, isReadOnly = false }: LibsqlOptions): Promise<LibsqlConnection> {
  const address = isReadOnly ? `file:${encodeURI(path).replace(/[?#]/g, encodeURIComponent)}?mode=ro` : path;
  try {
    const database = new Libsql(address, { timeout: busyMs / 1000 }) as unknown as LibsqlDatabase;
    database.defaultSafeIntegers(true);
    const connection = new LibsqlConnection(database);
    await connection.execute(`pragma busy_timeout = ${busyMs}`);
    if (!isReadOnly) {
      await connection.execute("pragma journal_mode = wal");
      // A kill loses nothing; a loss of power may lose what was written last, which is then indexed again.
      await connection.execute("pragma synchronous = normal");
    }
    await connection.execute("pragma cache_size = -8000");
    return connection;
  } catch (error) {
    throw new IndexError({ code: "cannotOpen", path }, { cause: error });
  }
}

/** A connection; its calls follow each other. */
export class LibsqlConnection implements DatabaseConnection {
  readonly #database: LibsqlDatabase;
  readonly #statements = new Map<string, LibsqlStatement>();
  /** Statements of {@link table} and {@link columns}. */
  readonly #kept: LibsqlStatement[] = [];

  constructor(database: LibsqlDatabase) {
    this.#database = database;
  }

  async execute(sql: string): Promise<void> {
    for await (const _ of this.rows(sql, []));
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const statement = await this.#statement(sql);
    if (!statement.reader) {
      const { changes } = await statement.run(...parameters.map(boundValue));
      return { rows: [], numAffectedRows: BigInt(changes) };
    }
    const rows: R[] = [];
    for await (const row of await statement.iterate(...parameters.map(boundValue))) rows.push(row as R);
    return { rows };
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    for await (const row of this.rows(sql, parameters)) yield { rows: [row as R] };
  }

  /** Rows as they are found. */
  async *rows(sql: string, parameters: readonly unknown[]): AsyncIterableIterator<Record<string, unknown>> {
    const statement = await this.#statement(sql);
    if (statement.reader) yield* await statement.iterate(...parameters.map(boundValue));
    else await statement.run(...parameters.map(boundValue));
  }

  /**
   * Runs a query, with its columns, which may have equal names; its rows are lists. Its statement lives as long as the
   * connection, and with it the virtual tables that it names stay where they are.
   */
  async table(sql: string): Promise<LibsqlTable> {
    const statement = await this.#heldStatement(sql);
    return { columns: columnsOf(statement), rows: (await statement.iterate()) as unknown as AsyncIterable<unknown[]> };
  }

  /** Returns the columns of a query without running it; the statement lives as long as that of {@link table}. */
  async columns(sql: string): Promise<readonly string[]> {
    return columnsOf(await this.#heldStatement(sql));
  }

  /** Ends what runs now; from any turn of the event loop. */
  interrupt(): void {
    this.#database.interrupt();
  }

  close(): void {
    this.#statements.clear();
    this.#kept.length = 0;
    this.#database.close();
  }

  async #heldStatement(sql: string): Promise<LibsqlStatement> {
    const statement = (await this.#database.prepare(sql)).raw(true);
    this.#kept.push(statement);
    return statement;
  }

  async #statement(sql: string): Promise<LibsqlStatement> {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = await this.#database.prepare(sql);
    if (this.#statements.size >= keptStatements) this.#statements.clear();
    this.#statements.set(sql, made);
    return made;
  }
}

function columnsOf(statement: LibsqlStatement): readonly string[] {
  return statement.columns().map(({ name }) => name);
}

/** The library takes numbers for floating ones. */
function boundValue(value: unknown): unknown {
  if (typeof value === "number" && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  return value ?? null;
}
