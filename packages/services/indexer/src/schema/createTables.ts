import { type Kysely, sql } from "kysely";
import type { IndexLocation } from "../database/openDatabase.js";
import { type IndexDatabase, inTransaction } from "../database/openDatabase.js";
import type { AnyTables, Column, IndexTable } from "./IndexTable.js";
import { indexTables } from "./tables.js";

type DatabaseKind = IndexLocation["kind"];

const sqliteTypes: { readonly [K in Column["type"]]: string } = {
  String: "text",
  Int: "integer",
  bigint: "integer",
  numeric: "real",
  float8: "real",
  Boolean: "integer",
  jsonb: "text",
  timestamp: "text",
  timestamptz: "text",
};
const postgresTypes: { readonly [K in Column["type"]]: string } = {
  String: "text",
  Int: "integer",
  bigint: "bigint",
  numeric: "numeric(28,8)",
  float8: "double precision",
  Boolean: "boolean",
  jsonb: "jsonb",
  timestamp: "timestamp",
  timestamptz: "timestamptz",
};

/** Makes every table, index and view. */
export async function createTables(kind: DatabaseKind, db: Kysely<AnyTables>): Promise<void> {
  for (const table of indexTables) {
    if (table.view !== undefined) continue;
    await sql.raw(tableText(kind, table)).execute(db);
    for (const columns of table.indexes ?? []) {
      const name = `${table.name}_by_${columns.join("_")}`;
      await sql.raw(`create index ${name} on ${table.name} (${columns.join(", ")})`).execute(db);
    }
  }
  for (const text of wordIndex[kind]) await sql.raw(text).execute(db);
  for (const { name, view } of indexTables)
    if (view !== undefined)
      await sql.raw(`create view ${name} as ${typeof view === "string" ? view : view[kind]}`).execute(db);
}

/** Takes away every table and view. */
export async function dropTables(kind: DatabaseKind, db: Kysely<AnyTables>): Promise<void> {
  for (const { name, view } of indexTables.toReversed())
    if (view !== undefined) await sql`drop view if exists ${sql.table(name)}`.execute(db);
  if (kind === "sqlite") await sql`drop table if exists deploy_words`.execute(db);
  for (const { name, view } of indexTables)
    if (view === undefined) await sql`drop table if exists ${sql.table(name)}`.execute(db);
}

function tableText(kind: DatabaseKind, { name, columns, primaryKey }: IndexTable): string {
  const numbered = primaryKey.length === 1 && columns[primaryKey[0]!]?.isNumbered === true;
  const lines = Object.entries(columns).map(([column, facts]) => `${column} ${columnText(kind, facts)}`);
  if (!numbered) lines.push(`primary key (${primaryKey.join(", ")})`);
  const isSmall = kind === "sqlite" && !numbered;
  return `create table ${name} (${lines.join(", ")})${isSmall ? " without rowid" : ""}`;
}

function columnText(kind: DatabaseKind, column: Column): string {
  if (column.isNumbered === true)
    return kind === "sqlite" ? "integer primary key autoincrement" : "bigserial primary key";
  const type = (kind === "sqlite" ? sqliteTypes : postgresTypes)[column.type];
  if (column.unitsOf !== undefined)
    return `${type} generated always as (${column.unitsOf} / 100000000.0) ${kind === "sqlite" ? "virtual" : "stored"}`;
  return `${type}${column.isNullable === true ? "" : " not null"}${column.isUnique === true ? " unique" : ""}`;
}

/** Most characters of a program that words are looked for in. */
const searchedCharacters = 200_000;

/** Words of programs. */
const wordIndex: { readonly [K in DatabaseKind]: readonly string[] } = {
  sqlite: [
    `create virtual table deploy_words using fts5(source, content='deploy_sources', content_rowid='id',
      tokenize="unicode61 remove_diacritics 0 tokenchars '_'")`,
    `create trigger deploy_words_of_source after insert on deploy_sources begin
      insert into deploy_words(rowid, source) values (new.id, substr(new.source, 1, ${searchedCharacters})); end`,
  ],
  postgres: [
    `alter table deploy_sources add column words tsvector
      generated always as (to_tsvector('simple', left(source, ${searchedCharacters}))) stored`,
    "create index deploy_sources_by_words on deploy_sources using gin (words)",
  ],
};

/** Takes all rows out of an index. */
export async function clearTables(database: IndexDatabase): Promise<void> {
  const { kind } = database;
  const names = indexTables.filter(({ view }) => view === undefined).map(({ name }) => name);
  await inTransaction(database, async (transaction) => {
    if (kind === "postgres") await sql`truncate ${sql.join(names.map((name) => sql.table(name)))}`.execute(transaction);
    else {
      for (const name of names) await transaction.deleteFrom(name).execute();
      await sql`insert into deploy_words(deploy_words) values ('rebuild')`.execute(transaction);
    }
  });
}
