/** The text forms of rows. */
export type RowFormat = "json" | "ndjson" | "csv";

/** How JSON has integers: programs that read its numbers as floats, as browsers do, round those beyond 2^53. */
export type IntegerForm = "text" | "number";

type Cell = unknown;

/** A value as JSON; integers in full. */
export function jsonOf(value: Cell, integers: IntegerForm = "number"): string {
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return integers === "text" ? `"${value}"` : String(value);
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "null";
  if (typeof value === "boolean") return String(value);
  return JSON.stringify(value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value));
}

/** The beginning of a text that a spreadsheet would read as a formula. */
const formula = /^[=+\-@\t\r]/;

/**
 * A value as a cell of CSV (RFC 4180). Texts that a spreadsheet would execute get an apostrophe: their content is
 * that of clients.
 */
export function csvOf(value: Cell): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "bigint" || typeof value === "number" || typeof value === "boolean") return String(value);
  const text = value instanceof Uint8Array ? Buffer.from(value).toString("hex") : String(value);
  const safe = formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as a text. @param integers in JSON */
export function rowsText(
  format: RowFormat,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
  integers: IntegerForm = "number",
): string {
  switch (format) {
    case "csv":
      return [columns.map(csvOf), ...rows.map((row) => row.map(csvOf))]
        .map((cells) => `${cells.join(",")}\r\n`)
        .join("");
    case "ndjson":
      return rows
        .map(
          (row) =>
            `{${columns.map((column, at) => `${JSON.stringify(column)}:${jsonOf(row[at], integers)}`).join(",")}}\n`,
        )
        .join("");
    case "json":
      return `[${rows.map((row) => `[${row.map((cell) => jsonOf(cell, integers)).join(",")}]`).join(",")}]`;
  }
}
