import { expect, test } from "vitest";
import { ReadBudget } from "./ReadBudget.js";

const take = (text: string) => () => new ReadBudget({ timeoutMs: 60_000, rows: 10, bytes: 1_000 }).take({ text });

test("characters that are six times as long in an answer count so; quotes and line ends count as all others", () => {
  for (const short of ["x".repeat(1_000), '"\n\t\\'.repeat(250), "\u0001".repeat(166)])
    expect(take(short)).not.toThrow();
  for (const long of ["x".repeat(1_001), "\u0001".repeat(167), `${"x".repeat(900)}${"\u001f".repeat(17)}`])
    expect(take(long)).toThrow(/exceeds/);
});
