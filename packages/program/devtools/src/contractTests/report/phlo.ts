import type { TestResult } from "../run/runTests.js";

/** Writes the cost of each case, a line each: a file to keep and compare. */
export function phloSnapshot(results: readonly TestResult[]): string {
  return results.map((result) => `${keyOf(result)}: ${result.phlo}\n`).join("");
}

/** Lists the costs that differ from a snapshot, and the cases that only one of the two has. */
export function phloDifferences(snapshot: string, results: readonly TestResult[]): string[] {
  const before = new Map<string, bigint>();
  for (const line of snapshot.split("\n")) {
    const [, key, phlo] = /^(.*): (\d+)$/.exec(line) ?? [];
    if (key !== undefined) before.set(key, BigInt(phlo!));
  }
  const lines = results.flatMap((result) => {
    const key = keyOf(result);
    const old = before.get(key);
    before.delete(key);
    if (old === undefined) return [`${key}: ${result.phlo}, new`];
    return old === result.phlo ? [] : [`${key}: ${result.phlo}, was ${old} (${changeText(old, result.phlo)})`];
  });
  return [...lines, ...[...before.keys()].map((key) => `${key}: gone`)];
}

function keyOf({ file, name }: TestResult): string {
  return `${file} › ${name}`;
}

function changeText(before: bigint, after: bigint): string {
  if (before === 0n) return "+∞ %";
  const permille = Number(((after - before) * 1000n) / before);
  return `${permille > 0 ? "+" : ""}${(permille / 10).toFixed(1)} %`;
}
