import { type RawBuilder, sql } from "kysely";
import type { ReadRow } from "../database/IndexReader.js";
import type { Column, Table } from "../schema/Table.js";
import { tokensText } from "./scalars.js";

/** PostgreSQL has nulls at the end that is greatest; so does every database here. */
export function directed(value: RawBuilder<unknown>, direction: string, isNullable: boolean): RawBuilder<unknown> {
  const isDescending = direction.startsWith("desc");
  const way = sql.raw(isDescending ? "desc" : "asc");
  if (direction.endsWith("_nulls_first")) return sql`${value} ${way} nulls first`;
  if (direction.endsWith("_nulls_last")) return sql`${value} ${way} nulls last`;
  if (!isNullable) return sql`${value} ${way}`;
  return sql`${value} ${way} ${sql.raw(isDescending ? "nulls first" : "nulls last")}`;
}

/** A cell as it is answered. */
export function shown(row: ReadRow, name: string, { columns }: Table): unknown {
  const column = columns[name];
  if (column === undefined) return null;
  const value = row[column.unitsOf ?? name];
  if (value === null || value === undefined) return null;
  if (column.unitsOf !== undefined) return tokensText(BigInt(value as bigint));
  return shownValue(value, column.type);
}

/** A value of a column as it is answered. */
export function shownValue(value: unknown, type: Column["type"]): unknown {
  if (type === "Boolean") return value === true || value === 1n || value === 1;
  if (type === "Int") return Number(value);
  return value;
}
