import { CompiledQuery, type InsertQueryBuilder, type Transaction } from "kysely";
import type { IndexDatabase } from "../database/openDatabase.js";
import type { AnyTables } from "../schema/IndexTable.js";

/** A row to be written, by column. */
export type Row = { readonly [column: string]: unknown };

/** Values in one statement: SQLite takes 32,766, PostgreSQL 65,535. */
const maxValues = 20_000;

/** The tables of a transaction: writes many rows in few statements. */
export class Rows {
  readonly kind: IndexDatabase["kind"];
  readonly db: Transaction<AnyTables>;

  readonly #texts: StatementTexts;

  constructor(kind: IndexDatabase["kind"], db: Transaction<AnyTables>, texts: StatementTexts) {
    this.kind = kind;
    this.db = db;
    this.#texts = texts;
  }

  /** Enters rows; those with an existing key are left out. */
  async add(table: string, rows: readonly Row[]): Promise<void> {
    await this.#insert(table, rows, "add", (insert) => insert.onConflict((conflict) => conflict.doNothing()));
  }

  /** Enters rows; of one that is there already, `change` gives the new values, always the same for a table. */
  async merge(table: string, rows: readonly Row[], key: readonly string[], change: MergedValues): Promise<void> {
    await this.#insert(table, rows, "merge", (insert) =>
      insert.onConflict((conflict) => conflict.columns([...key]).doUpdateSet(change as never)),
    );
  }

  /** All rows must have the columns of the first one, in its order. */
  async #insert(
    table: string,
    rows: readonly Row[],
    what: "add" | "merge",
    finish: (insert: Insert) => Insert,
  ): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    for (const part of partsOf(rows)) {
      const name = [what, table, part.length, ...columns].join();
      const values = part.flatMap((row) => {
        if (Object.keys(row).length !== columns.length) throw new TypeError(`${table}: rows have different columns`);
        return columns.map((column) => row[column] ?? null);
      });
      const text = this.#texts.get(name) ?? this.#textOf(name, { table, columns, count: part.length }, finish);
      await this.db.executeQuery(CompiledQuery.raw(text, values));
    }
  }

  #textOf(
    name: string,
    { table, columns, count }: { readonly table: string; readonly columns: readonly string[]; readonly count: number },
    finish: (insert: Insert) => Insert,
  ): string {
    const row = Object.fromEntries(columns.map((column) => [column, 0]));
    const { sql, parameters } = finish(
      this.db.insertInto(table).values(Array.from({ length: count }, () => row)),
    ).compile();
    if (parameters.length !== count * columns.length)
      throw new TypeError(`${table}: there are values beside those of the rows`);
    this.#texts.set(name, sql);
    return sql;
  }

  /** Returns rows with one of these values in their column. */
  async among(table: string, columns: readonly string[], column: string, values: readonly unknown[]): Promise<Row[]> {
    const found: Row[] = [];
    for (let at = 0; at < values.length; at += maxRows) {
      const some = evened(values.slice(at, at + maxRows));
      found.push(
        ...(await this.db
          .selectFrom(table)
          .select([...columns])
          .where(column, "in", some)
          .execute()),
      );
    }
    return found;
  }
}

/** Values by column, or what makes them; as the builder takes them. */
export type MergedValues = object;

/**
 * Texts of a database's statements, so that none is put together and prepared anew for each of many transactions: by
 * table, columns, and a number of rows that is a power of two.
 */
export type StatementTexts = Map<string, string>;

const maxRows = 64;

/**
 * Returns the same values, with the last one repeated until their number is a power of two: few different statements
 * are needed then.
 */
export function evened<T>(values: readonly T[]): T[] {
  if (values.length === 0) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: size - values.length }, () => values.at(-1)!)];
}

type Insert = InsertQueryBuilder<AnyTables, string, unknown>;

/** In parts of as many rows as powers of two have. */
function* partsOf<R extends Row>(rows: readonly R[]): Iterable<readonly R[]> {
  if (rows.length === 0) return;
  const most = Math.max(1, Math.floor(maxValues / Object.keys(rows[0]!).length));
  for (let at = 0; at < rows.length; ) {
    const left = Math.min(most, maxRows, rows.length - at);
    const size = 2 ** Math.floor(Math.log2(left));
    yield rows.slice(at, at + size);
    at += size;
  }
}

/** PostgreSQL has no character of number 0 in a text. */
export function storedText(text: string): string {
  return text.includes("\0") ? text.replaceAll("\0", "\uFFFD") : text;
}

/** A time as columns have it. @param milliseconds since 1970; what no calendar has becomes its first moment */
export function timestampText(milliseconds: bigint): string {
  const isDate = milliseconds >= 0n && milliseconds < lastMilliseconds;
  return new Date(isDate ? Number(milliseconds) : 0).toISOString().slice(0, -1);
}

/** The end of the year 9999. */
const lastMilliseconds = 253_402_300_800_000n;

/** A number of 64 bits: what is beyond becomes the nearest one. */
export function storedInteger(value: bigint): bigint {
  return value > maxInteger ? maxInteger : value < -maxInteger - 1n ? -maxInteger - 1n : value;
}

const maxInteger = 2n ** 63n - 1n;
