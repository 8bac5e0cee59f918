/** Tables by name, rows by column: the tables are described in `schema`. */
// biome-ignore lint/suspicious/noExplicitAny: the builder has no other type for tables that are data.
export type AnyTables = any;
