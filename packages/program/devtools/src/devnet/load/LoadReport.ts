import type { LedgerTotals } from "./DeployLedger.js";
import type { NodeHealth } from "./NodeSamples.js";
import type { Percentiles } from "./percentiles.js";

/** The result of a load. */
export interface LoadReport {
  readonly seed: number;
  readonly durationMs: number;
  readonly totals: LedgerTotals;
  /** How often each thing went wrong. */
  readonly errors: Readonly<Record<string, number>>;
  readonly nodes: readonly NodeHealth[];
  readonly firstBlock: number;
  readonly lastBlock: number;
  readonly fees: bigint;
  /** The errors in the books: none, when all coins are where they should be. */
  readonly imbalances: readonly string[];
}

/** Whether everything went as it should. */
export function isSound({ errors, imbalances, totals }: LoadReport): boolean {
  const isComplete = totals.finalized === totals.submitted && totals.errored === 0;
  return isComplete && imbalances.length === 0 && Object.keys(errors).length === 0;
}

/** The report for people. */
export function printReport(report: LoadReport): string {
  const { totals, errors, nodes, imbalances, fees, seed, durationMs, firstBlock, lastBlock } = report;
  const { submitted, included, finalized, rejected, errored, toIncluded, toFinalized } = totals;
  const troubles = Object.entries(errors).map(([text, count]) => `  ${count} × ${text}`);
  return [
    `Seed ${seed}, ${Math.round(durationMs / 1_000)} s, finalized blocks ${firstBlock} to ${lastBlock}`,
    `Deploys: ${submitted} submitted, ${included} included, ${finalized} finalized, ${rejected} rejected by merges, ${errored} failed`,
    `From deploy to included:  ${printTimes(toIncluded)}`,
    `From deploy to finalized: ${printTimes(toFinalized)}`,
    `Fees: ${fees}`,
    ...nodes.map(printHealth),
    troubles.length === 0 ? "Errors: none" : "Errors:",
    ...troubles,
    imbalances.length === 0 ? "Books: every coin and every call is where it should be" : "Books:",
    ...imbalances.map((text) => `  ${text}`),
  ].join("\n");
}

/** The report for programs: amounts as text. */
export function reportJson(report: LoadReport): object {
  return { ...report, fees: String(report.fees), isSound: isSound(report) };
}

function printTimes(times: Percentiles | undefined): string {
  return times === undefined
    ? "–"
    : `half within ${seconds(times.p50Ms)}, 95 of 100 within ${seconds(times.p95Ms)}, all within ${seconds(times.maxMs)}`;
}

function printHealth({
  name,
  height,
  finalized,
  maxBehind,
  memoryAfterWarmUp,
  memoryNow,
  silences,
}: NodeHealth): string {
  const memory = `${megabytes(memoryAfterWarmUp)} → ${megabytes(memoryNow)}`;
  const silent = silences === 0 ? "" : `, ${silences} times without an answer`;
  return `${name.padEnd(11)} block ${height ?? "–"}, final ${finalized ?? "–"}, at most ${maxBehind} behind, memory ${memory}${silent}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}

function megabytes(bytes: number | undefined): string {
  return bytes === undefined ? "–" : `${Math.round(bytes / (1 << 20))} MB`;
}
