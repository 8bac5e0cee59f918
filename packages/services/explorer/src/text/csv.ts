/** The beginning of a text that a spreadsheet would read as a formula. */
const formula = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180), the head first; no cell is a formula to a spreadsheet, numbers excepted. */
export function csvOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows].map((row) => `${row.map(cellOf).join(",")}\r\n`).join("");
}

function cellOf(text: string): string {
  const isNumber = /^-?\d+(\.\d+)?$/.test(text);
  const safe = formula.test(text) && !isNumber ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
