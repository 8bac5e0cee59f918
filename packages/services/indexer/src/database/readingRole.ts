import { sql } from "kysely";
import pg from "pg";
import { indexTables } from "../schema/tables.js";
import type { IndexDatabase } from "./openDatabase.js";

/** Error codes of a user without the right, and of a database that is read-only. */
const mayNot = new Set(["42501", "25006"]);
const isThere = new Set(["42710", "23505"]);

/**
 * Creates the role that runs queries: it may read the tables of the index, and has no other rights. The index's own
 * user may be the superuser, which may read files of the database's machine.
 *
 * @returns its name; `undefined` if the user may neither create nor use it
 * @throws other errors of the database
 */
export async function readingRole(client: pg.ClientBase, schema: string): Promise<string | undefined> {
  try {
    await client.query("begin read write");
    const { rows } = await client.query<{ name: string; known: boolean }>(
      `select name, exists (select 1 from pg_roles where rolname = name) as known, pg_advisory_xact_lock(hashtext(name))
       from (select 'vedette_reader_' || substr(md5(current_database() || '.' || $1), 1, 16) as name) as named`,
      [schema],
    );
    const { name, known } = rows[0]!;
    if (!known) await attempted(client, `create role ${name} nologin noinherit`, isThere);
    await attempted(client, `grant ${name} to current_user`, mayNot);
    await attempted(client, grantsOf(name, schema), mayNot);
    await client.query(`set local role ${name}`);
    await client.query("commit");
    return name;
  } catch (error) {
    await client.query("rollback");
    if (error instanceof pg.DatabaseError && mayNot.has(error.code ?? "")) return undefined;
    throw error;
  }
}

/** Whether the database user can run queries with the reading role. If not, queries have the user's own rights. */
export async function mayHaveReadingRole({ db, schema }: IndexDatabase): Promise<boolean> {
  const { rows } = await sql<{ may: boolean }>`select rolsuper or rolcreaterole or exists (
      select 1 from pg_roles as made where pg_has_role(made.oid, 'member') and
      made.rolname = 'vedette_reader_' || substr(md5(current_database() || '.' || ${schema}::text), 1, 16)) as may
    from pg_roles where rolname = current_user`.execute(db);
  return rows[0]?.may === true;
}

function grantsOf(name: string, schema: string): string {
  const tables = indexTables.map((table) => `${pg.escapeIdentifier(schema)}.${table.name}`).join(", ");
  return `grant usage on schema ${pg.escapeIdentifier(schema)} to ${name}; grant select on ${tables} to ${name}`;
}

/** Runs a statement and ignores failures for the given reasons: another process may have run it already. */
async function attempted(client: pg.ClientBase, sql: string, reasons: ReadonlySet<string>): Promise<void> {
  await client.query("savepoint before");
  try {
    await client.query(sql);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || !reasons.has(error.code ?? "")) throw error;
    await client.query("rollback to savepoint before");
  }
}
