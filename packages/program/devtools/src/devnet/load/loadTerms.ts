/** The contract that calls go to: it adds to one of several cells. @param run name of this load, of letters and digits */
export function contractTerm(run: string, cells: number): string {
  const beginnings = Array.from({ length: cells }, (_, cell) => `@${cellName(run, String(cell))}!(0)`);
  return `${beginnings.join(" | ")} |
contract @"vedette-load-${run}"(@cell, @amount) = {
  for (@value <- @${cellName(run, "cell")}) { @${cellName(run, "cell")}!(value + amount) }
}`;
}

/** Adds to one cell. */
export function callTerm(run: string, cell: number, amount: number): string {
  return `@"vedette-load-${run}"!(${cell}, ${amount})`;
}

/** Returns the term that queries the sum of all cells, as an exploratory deploy. */
export function sumTerm(run: string, cells: number): string {
  const reads = Array.from({ length: cells }, (_, cell) => `@value${cell} <- @${cellName(run, String(cell))}`);
  const values = Array.from({ length: cells }, (_, cell) => `value${cell}`);
  return `new return in { for (${reads.join("; ")}) { return!(${values.join(" + ")}) } }`;
}

function cellName(run: string, cell: string): string {
  return `["vedette-load-${run}", ${cell}]`;
}
