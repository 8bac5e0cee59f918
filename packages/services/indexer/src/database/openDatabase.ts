import { CompiledQuery, Kysely, PostgresDialect, type Transaction } from "kysely";
import pg from "pg";
import type { AnyTables } from "../schema/IndexTable.js";
import { LibsqlDialect } from "./LibsqlDialect.js";
import { WriterLease } from "./WriterLease.js";

/** Where an index is kept. */
export type IndexLocation =
  | { readonly kind: "sqlite"; readonly path: string }
  | {
      readonly kind: "postgres";
      readonly url: string;
      readonly schema: string;
      /** Name of the writer, where several processes could write; left out: this one alone does. */
      readonly writer?: string;
    };

/** An index's tables, for their writer. */
export interface IndexDatabase extends AsyncDisposable {
  readonly kind: IndexLocation["kind"];
  readonly db: Kysely<AnyTables>;
  /** Where a PostgreSQL has the tables. */
  readonly schema?: string;
  /** Where several could write it, which of them does. */
  readonly lease?: WriterLease;
}

/** A writer that stalls within a transaction must not keep others from becoming the writer. */
const writerOptions = "-c idle_in_transaction_session_timeout=5s";
/** How long a connection is waited for. */
const connectMs = 5_000;

/**
 * Opens a database for writing; PostgreSQL is connected to at the first query. @throws {IndexQueryError} `cannotOpen`
 */
export async function openDatabase(place: IndexLocation): Promise<IndexDatabase> {
  const db = place.kind === "sqlite" ? sqliteOf(place.path) : postgresOf(place);
  if (place.kind === "sqlite") await db.executeQuery(CompiledQuery.raw("select 1"));
  const schema = place.kind === "postgres" ? { schema: place.schema } : {};
  const writer = place.kind === "postgres" ? place.writer : undefined;
  const lease = writer === undefined ? {} : { lease: new WriterLease(db, writer) };
  return { kind: place.kind, db, ...schema, ...lease, [Symbol.asyncDispose]: () => db.destroy() };
}

/** Writes all or nothing, and nothing where another process has become the writer. @throws {IndexQueryError} `lostLease` */
export function inTransaction<T>(
  { db, lease }: IndexDatabase,
  work: (transaction: Transaction<AnyTables>) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    await lease?.confirm(transaction);
    return work(transaction);
  });
}

function sqliteOf(path: string): Kysely<AnyTables> {
  return new Kysely({ dialect: new LibsqlDialect({ path }) });
}

function postgresOf({ url, schema }: { readonly url: string; readonly schema: string }): Kysely<AnyTables> {
  return new Kysely({
    dialect: new PostgresDialect({ pool: postgresPool(url, schema, { max: 2, options: writerOptions }) }),
  });
}

/** Makes connections to a PostgreSQL that look names up in one schema. */
export function postgresPool(url: string, schema: string, { max, options = "" }: { max: number; options?: string }) {
  const pool = new pg.Pool({
    connectionString: url,
    max,
    connectionTimeoutMillis: connectMs,
    options: `-c search_path=${schema} -c timezone=UTC ${options}`,
    types: postgresTypes,
  });
  // The loss of an idle connection is reported here alone; the next use opens another one. One that ends while it is
  // used fails its query, and is also reported here.
  pool.on("error", () => {});
  pool.on("connect", (client) => client.on("error", () => {}));
  return pool;
}

/** Numbers of PostgreSQL's own types. */
const oids = { int8: 20, int4: 23, json: 114, jsonb: 3802, timestamp: 1114, timestamptz: 1184 } as const;

/** Values as SQLite gives them: integers are `bigint`, JSON and times are texts. */
const postgresTypes = {
  getTypeParser(oid: number, format?: "text" | "binary"): (text: string) => unknown {
    switch (oid) {
      case oids.int8:
      case oids.int4:
        return BigInt;
      case oids.json:
      case oids.jsonb:
        return (text) => text;
      case oids.timestamp:
        return (text) => text.replace(" ", "T");
      case oids.timestamptz:
        return (text) => text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
      default:
        return pg.types.getTypeParser(oid, format ?? "text") as (text: string) => unknown;
    }
  },
} as pg.CustomTypesConfig;
