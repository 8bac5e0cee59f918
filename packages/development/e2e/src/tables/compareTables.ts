import { type IndexTable, openTables } from "@vedette/indexer";
import type { IndexDatabase } from "@vedette/indexer/writing";
import type { ExpectedRow, ExpectedTables } from "./expectedBlocks.js";

/** Differences of one table that are reported. */
const maxReported = 3;

/**
 * Compares an index with tables that were made another way.
 *
 * Numbers that only distinguish rows are left out: they are those of the order in which they came. So are `undefined`
 * members of an expected row.
 *
 * @returns a line for each difference
 */
export async function differencesOf({ db }: IndexDatabase, expected: ExpectedTables): Promise<string[]> {
  const differences: string[] = [];
  for (const table of openTables) {
    const wanted = expected[table.name];
    if (wanted === undefined) continue;
    const rows: ExpectedRow[] = await db.selectFrom(table.name).selectAll().execute();
    const left = new Map<string, number>();
    const unasked = new Set(["id", "transfer_id"]);
    for (const row of wanted)
      for (const [column, value] of Object.entries(row)) if (value === undefined) unasked.add(column);
    const count = (row: ExpectedRow, by: number) => {
      const text = textOf(row, table, unasked);
      left.set(text, (left.get(text) ?? 0) + by);
    };
    for (const row of rows) count(row, 1);
    for (const row of wanted) count(row, -1);
    const wrong = [...left].filter(([, times]) => times !== 0).sort();
    for (const [text, times] of wrong.slice(0, maxReported))
      differences.push(`${table.name} has ${times > 0 ? "too much" : "not"}: ${text}`);
    if (wrong.length > maxReported) differences.push(`${table.name}: ${wrong.length - maxReported} more differences`);
  }
  return differences;
}

/** The same text for the same values, whichever database or API they come from. */
function textOf(row: ExpectedRow, { columns }: IndexTable, unasked: ReadonlySet<string>): string {
  const parts = Object.entries(columns).flatMap(([column, { type }]) =>
    unasked.has(column) ? [] : [`${column}=${valueText(row[column], type)}`],
  );
  return parts.join(" ");
}

type ColumnType = IndexTable["columns"][string]["type"];

function valueText(value: unknown, type: ColumnType): string {
  if (value === null || value === undefined) return "null";
  switch (type) {
    case "Boolean":
      return value === true || value === 1n || value === 1 ? "true" : "false";
    case "numeric":
    case "float8":
      return Number(value).toPrecision(12);
    case "jsonb":
      return JSON.stringify(sorted(typeof value === "string" ? JSON.parse(value) : value));
    case "timestamp":
    case "timestamptz":
      return new Date(/(Z|[+-]\d\d:\d\d)$/.test(String(value)) ? String(value) : `${value}Z`).toISOString();
    default:
      return String(value);
  }
}

/** Members by their names; whole numbers as texts. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value === "bigint" || typeof value === "number") return String(value);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
