import type { Transaction } from "kysely";
import type { AnyTables, IndexDatabase } from "../database/openDatabase.js";

/** A row to be written, by column. */
export type Row = { readonly [column: string]: unknown };

/** Values in one statement: SQLite takes 32,766, PostgreSQL 65,535. */
const mostValues = 20_000;

/** What a transaction writes to: many rows in few statements. */
export class Rows {
  readonly kind: IndexDatabase["kind"];
  readonly db: Transaction<AnyTables>;

  constructor(kind: IndexDatabase["kind"], db: Transaction<AnyTables>) {
    this.kind = kind;
    this.db = db;
  }

  /** Enters rows; those whose key is there already are left out. */
  async add(table: string, rows: readonly Row[]): Promise<void> {
    for (const part of partsOf(rows))
      await this.db
        .insertInto(table)
        .values([...part])
        .onConflict((conflict) => conflict.doNothing())
        .execute();
  }

  /** Enters rows; of one that is there already, `change` gives the new values. */
  async merge(table: string, rows: readonly Row[], key: readonly string[], change: MergedValues): Promise<void> {
    for (const part of partsOf(rows))
      await this.db
        .insertInto(table)
        .values([...part])
        .onConflict((conflict) => conflict.columns([...key]).doUpdateSet(change as never))
        .execute();
  }

  /** Rows whose column has one of these values. */
  async among(table: string, columns: readonly string[], column: string, values: readonly unknown[]): Promise<Row[]> {
    const found: Row[] = [];
    for (const part of partsOf(values.map((value) => ({ value })))) {
      const some = part.map(({ value }) => value);
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

function* partsOf<R extends Row>(rows: readonly R[]): Iterable<readonly R[]> {
  if (rows.length === 0) return;
  const size = Math.max(1, Math.floor(mostValues / Object.keys(rows[0]!).length));
  for (let at = 0; at < rows.length; at += size) yield rows.slice(at, at + size);
}
