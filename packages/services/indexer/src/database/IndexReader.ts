import type { Socket } from "node:net";
import { type CompiledQuery, Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { IndexError } from "../IndexError.js";
import type { AnyTables } from "../schema/IndexTable.js";
import { checkPostgresQuery } from "./checkPostgresQuery.js";
import { checkSqliteProgram } from "./checkSqliteProgram.js";
import { type LibsqlConnection, LibsqlDialect, openLibsql } from "./LibsqlDialect.js";
import { type IndexLocation, postgresPool } from "./openDatabase.js";
import type { ReadBudget } from "./ReadBudget.js";
import { readingRole } from "./readingRole.js";
import { wholeCell, wholeTexts } from "./wholeTexts.js";

/** A row by column. Integers are `bigint`, JSON and times are texts; truth is a number on SQLite. */
export type ReadRow = Readonly<Record<string, unknown>>;

/** Text and values of a query. */
export type ReadQuery = Pick<CompiledQuery, "sql" | "parameters">;

/** Reads an index; nothing can be written by it. */
export interface IndexReader extends AsyncDisposable {
  readonly kind: IndexLocation["kind"];
  /** Makes queries; they are run by {@link rows}. */
  readonly builder: Kysely<AnyTables>;
  /** @throws {IndexQueryError} `badQuery`, `noDatabase`, and those of the budget */
  rows(query: ReadQuery, budget: ReadBudget): Promise<ReadRow[]>;
  /** Runs a client's SQL query on a separate connection. @throws as {@link rows} */
  table(query: ReadQuery, budget: ReadBudget): Promise<ReadTable>;
}

/** Rows with their columns, which may have equal names. */
export interface ReadTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

/** Queries that run at the same time. */
const connections = 2;
/** The maximum memory of SQLite, in bytes: longer rows of a query are refused. */
const maxHeapBytes = 256 << 20;

/** Opens an index for reading. @throws {IndexQueryError} `cannotOpen` */
export async function openReader(place: IndexLocation): Promise<IndexReader> {
  if (place.kind === "postgres") return new PostgresReader(place);
  const opened = await Promise.all(
    Array.from({ length: connections }, () => openLibsql({ path: place.path, isReadOnly: true })),
  );
  await opened[0]!.execute(`pragma hard_heap_limit = ${maxHeapBytes}`);
  return new SqliteReader(place.path, opened);
}

class SqliteReader implements IndexReader {
  readonly kind = "sqlite";
  readonly builder: Kysely<AnyTables>;
  readonly #path: string;
  readonly #all: readonly LibsqlConnection[];
  readonly #idle: LibsqlConnection[];
  readonly #waiting: ((connection: LibsqlConnection) => void)[] = [];

  constructor(path: string, all: readonly LibsqlConnection[]) {
    this.builder = new Kysely({ dialect: new LibsqlDialect({ path, isReadOnly: true }) });
    this.#path = path;
    this.#all = all;
    this.#idle = [...all];
  }

  async rows({ sql, parameters }: ReadQuery, budget: ReadBudget): Promise<ReadRow[]> {
    const connection =
      this.#idle.pop() ?? (await new Promise<LibsqlConnection>((resolve) => this.#waiting.push(resolve)));
    try {
      return await timed(connection, budget, async () => {
        const found: ReadRow[] = [];
        for await (const row of connection.rows(sql, parameters)) {
          budget.take(row);
          found.push(row);
        }
        return found;
      });
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#idle.push(connection);
      else next(connection);
    }
  }

  async table({ sql }: ReadQuery, budget: ReadBudget): Promise<ReadTable> {
    const connection = await openLibsql({ path: this.#path, isReadOnly: true });
    try {
      return await timed(connection, budget, async () => {
        const columns = await connection.columns(sql);
        const whole = wholeTexts(sql, columns.length);
        await checkSqliteProgram(connection, whole);
        const found: unknown[][] = [];
        for await (const row of (await connection.table(whole)).rows) {
          const cells = row.map(wholeCell);
          budget.take(cells);
          found.push(cells);
        }
        return { columns, rows: found };
      });
    } finally {
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#all) connection.close();
  }
}

/** The pause between two interruptions of an overdue query. */
const interruptAgainMs = 20;

/** Ends a query after its time. */
async function timed<T>(connection: LibsqlConnection, budget: ReadBudget, work: () => Promise<T>): Promise<T> {
  let isLate = false;
  let timer: NodeJS.Timeout;
  const end = () => {
    isLate = true;
    connection.interrupt();
    // SQLite forgets an interruption that comes before the query has begun.
    timer = setTimeout(end, interruptAgainMs);
  };
  timer = setTimeout(end, budget.remainingMs);
  try {
    return await work();
  } catch (error) {
    if (isLate) throw budget.tooSlow();
    if (error instanceof IndexError) throw error;
    throw new IndexError(
      { code: "badQuery", reason: error instanceof Error ? error.message : String(error) },
      { cause: error },
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Rows that are fetched at once. */
const pageRows = 200;
/** Classes of PostgreSQL's errors: the connection broke, or the server is going down. */
const lostConnection = /^(08|57P)/;
const timedOut = "57014";
/** Memory of a step that sorts or hashes, of which a query may have several; no other processes help with it. */
const readerOptions = [
  "-c default_transaction_read_only=on -c standard_conforming_strings=on",
  "-c work_mem=16MB -c hash_mem_multiplier=1 -c max_parallel_workers_per_gather=0 -c lock_timeout=5s",
].join(" ");

class PostgresReader implements IndexReader {
  readonly kind = "postgres";
  readonly builder: Kysely<AnyTables>;
  readonly #pool: pg.Pool;
  readonly #place: string;
  readonly #schema: string;
  /** The database role that runs queries; looked up by the first one. */
  #role: Promise<string | undefined> | undefined;

  constructor({ url, schema }: { readonly url: string; readonly schema: string }) {
    this.#pool = postgresPool(url, schema, { max: connections * 2, options: readerOptions });
    this.#place = placeOf(url);
    this.#schema = schema;
    this.builder = new Kysely({ dialect: new PostgresDialect({ pool: this.#pool }) });
  }

  async rows(query: ReadQuery, budget: ReadBudget): Promise<ReadRow[]> {
    const { columns, rows } = await this.#read(query, budget, []);
    return rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
  }

  async table(query: ReadQuery, budget: ReadBudget): Promise<ReadTable> {
    const { behindDots } = await checkPostgresQuery(query.sql, this.#schema);
    return this.#read(query, budget, behindDots);
  }

  /** Reads by a cursor, so that rows beyond the limit are not read. */
  async #read({ sql, parameters }: ReadQuery, budget: ReadBudget, behindDots: readonly string[]): Promise<ReadTable> {
    let client: pg.PoolClient | undefined;
    let failure: unknown;
    let flood: Flood | undefined;
    try {
      client = await this.#pool.connect();
      flood = endFlood(client, budget.limits.bytes);
      const role = await (this.#role ??= readingRole(client, this.#schema));
      await client.query("begin transaction read only");
      await client.query(`set local statement_timeout = ${Math.max(1, Math.ceil(budget.remainingMs))}`);
      if (behindDots.length > 0) await checkBehindDots(client, behindDots);
      if (role !== undefined) await client.query(`set local role ${role}`);
      await client.query(`declare found no scroll cursor for ${sql}`, [...parameters]);
      return await fetchAll(client, budget);
    } catch (error) {
      failure = error;
      // New tables have no rights yet: the next query grants them, whatever the error was.
      if (!(error instanceof IndexError)) this.#role = undefined;
      if (flood?.isEnded() === true)
        throw new IndexError({ code: "answerTooLarge", maxBytes: budget.limits.bytes }, { cause: error });
      throw this.#explained(error, budget);
    } finally {
      flood?.[Symbol.dispose]();
      const isBroken =
        failure !== undefined && !(failure instanceof IndexError) && !(failure instanceof pg.DatabaseError);
      await client?.query("rollback").catch(() => {});
      client?.release(isBroken);
    }
  }

  #explained(error: unknown, budget: ReadBudget): IndexError {
    if (error instanceof IndexError) return error;
    if (!(error instanceof pg.DatabaseError) || lostConnection.test(error.code ?? ""))
      return new IndexError({ code: "noDatabase", place: this.#place }, { cause: error });
    if (error.code === timedOut) return budget.tooSlow();
    return new IndexError({ code: "badQuery", reason: error.message }, { cause: error });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#pool.end();
  }
}

/** All rows of the cursor `found`, as far as the budget allows. */
async function fetchAll(client: pg.PoolClient, budget: ReadBudget): Promise<ReadTable> {
  const found: unknown[][] = [];
  for (;;) {
    const page = { text: `fetch ${pageRows} from found`, rowMode: "array" } as const;
    const { rows, fields } = await client.query<unknown[]>(page);
    for (const row of rows) {
      budget.take(row);
      found.push(row);
    }
    if (rows.length < pageRows) return { columns: fields.map(({ name }) => name), rows: found };
    if (budget.remainingMs <= 0) throw budget.tooSlow();
  }
}

/**
 * PostgreSQL calls a function where a name behind a dot is no column: `a.pg_read_file`.
 *
 * @throws {IndexQueryError} `badQuery`
 */
async function checkBehindDots(client: pg.PoolClient, names: readonly string[]): Promise<void> {
  const sql = "select proname from pg_catalog.pg_proc where proname = any($1) limit 1";
  const { rows } = await client.query<{ proname: string }>(sql, [names]);
  const name = rows[0]?.proname;
  if (name === undefined) return;
  const reason = `A name after a dot may not be the name of a function: ${name}; use another one.`;
  throw new IndexError({ code: "badQuery", reason });
}

/** The data that a connection receives, and whether it was too much. */
interface Flood extends Disposable {
  isEnded(): boolean;
}

/** Bytes allowed beyond those of the rows: names of columns, and the framing of values. */
const maxAround = 1 << 20;

/**
 * Ends a connection that receives far more than the limit. The library buffers a whole value before this code sees it,
 * and a value longer than the longest JavaScript string makes the connection unusable.
 */
function endFlood(client: pg.PoolClient, maxBytes: number): Flood {
  const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
  let receivedBytes = 0;
  let isEnded = false;
  const onData = (bytes: Uint8Array) => {
    receivedBytes += bytes.length;
    if (receivedBytes <= 2 * maxBytes + maxAround) return;
    isEnded = true;
    stream.destroy();
  };
  stream.on("data", onData);
  return {
    isEnded: () => isEnded,
    [Symbol.dispose]: () => void stream.off("data", onData),
  };
}

/** An address without its password. */
export function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return "PostgreSQL";
  }
}
