/** The type of a column, by its GraphQL name. */
export type ColumnType =
  | "String"
  | "Int"
  | "bigint"
  | "numeric"
  | "float8"
  | "Boolean"
  | "jsonb"
  | "timestamp"
  | "timestamptz";

/** A column: its type and its content. */
export interface Column {
  readonly type: ColumnType;
  readonly doc: string;
  readonly isNullable?: boolean;
  /** A text of hexadecimal digits, in small letters. */
  readonly isHex?: boolean;
  /** Table with a text index of the column, which searches for parts of a value use. */
  readonly searchedIn?: string;
  /** The column that has the same amount in the smallest unit: 100,000,000 of them are one here. */
  readonly unitsOf?: string;
  readonly isUnique?: boolean;
  /** Numbered by the database itself. */
  readonly isNumbered?: boolean;
  /** Value of rows that leave the column out. */
  readonly default?: string | number;
}

/** Rows of another table that belong to a row. */
export interface Relation {
  readonly kind: "object" | "array";
  readonly table: string;
  /** The column of this table. */
  readonly column: string;
  /** The column of the other one. */
  readonly otherColumn: string;
}

/** A table or view of the index: the databases, GraphQL and the reference pages are generated from it. */
export interface IndexTable {
  readonly name: string;
  readonly doc: string;
  /** `ecosystem`: its names are those of the ecosystem's indexer (60). */
  readonly origin: "ecosystem" | "vedette";
  readonly columns: { readonly [name: string]: Column };
  readonly primaryKey: readonly string[];
  readonly indexes?: readonly (readonly string[])[];
  readonly relations?: { readonly [name: string]: Relation };
  /** Left out: rows are written here. Else the query that a view is. */
  readonly view?: ViewText;
  /** Gives the number of all rows sooner than the view does. */
  readonly counted?: string;
  /** Rows that others are made from: nothing of GraphQL. */
  readonly isInner?: boolean;
}

/** A view's query, for each database. */
export type ViewText = string | { readonly sqlite: string; readonly postgres: string };

/** Dust in one token. */
export const unitsInToken = 100_000_000n;

/** Tables by name, rows by column: the tables are described in `schema`. */
// biome-ignore lint/suspicious/noExplicitAny: the builder has no other type for tables that are data.
export type AnyTables = any;
