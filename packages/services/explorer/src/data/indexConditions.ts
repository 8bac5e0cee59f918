/** Whether it is a day as addresses of pages have it: `2026-03-01`. */
export function isDay(value: unknown): value is string {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
}

/** Rows between two days of the reader's zone, both included, by their `timestamp` in milliseconds. */
export function betweenDays({ since, until }: { readonly since?: string; readonly until?: string }): object[] {
  const found: object[] = [];
  if (isDay(since)) found.push({ timestamp: { _gte: String(startOf(since, 0)) } });
  if (isDay(until)) found.push({ timestamp: { _lt: String(startOf(until, 1)) } });
  return found;
}

function startOf(day: string, later: number): number {
  const [year = 0, month = 1, date = 1] = day.split("-").map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** Reads all rows of a list, page after page. @param most rows that are read at most */
export async function readAllRows<Row>(
  read: (page: { readonly skip: number; readonly limit: number }) => Promise<readonly Row[]>,
  most = 10_000,
): Promise<Row[]> {
  const limit = 1_000;
  const rows: Row[] = [];
  for (let skip = 0; skip < most; skip += limit) {
    const page = await read({ skip, limit });
    rows.push(...page);
    if (page.length < limit) break;
  }
  return rows;
}

/** Milliseconds as a file has them: UTC. A deploy may claim any time. */
export function fileTime(ms: string): string {
  const date = new Date(Number(ms));
  return Number.isNaN(date.getTime()) ? ms : date.toISOString();
}
