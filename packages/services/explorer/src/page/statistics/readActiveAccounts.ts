import { queryIndex } from "../../data/queryIndex.js";
import type { Series } from "./series.js";

/** Spans of one query, which may have twenty fields at its root. */
export const activeSpans = 20;

interface Counted {
  readonly aggregate: { readonly count: number };
}

/** Returns the beginnings of the last spans of a length, the earliest first, in milliseconds since 1970. */
export function startsOf(lengthMs: number, nowMs: number): number[] {
  const last = Math.floor(nowMs / lengthMs) * lengthMs;
  return Array.from({ length: activeSpans }, (_, at) => last - (activeSpans - 1 - at) * lengthMs);
}

/** The number of accounts that signed deploys in each of the last hours or days. @throws {IndexQueryError} */
export async function readActiveAccounts(lengthMs: number, signal: AbortSignal): Promise<Series> {
  const starts = startsOf(lengthMs, Date.now());
  const counts = starts.map((start, at) => {
    const within = `{timestamp: {_gte: "${start}", _lt: "${start + lengthMs}"}}`;
    return `s${at}: deployments_aggregate(where: ${within}) { aggregate { count(columns: [deployer], distinct: true) } }`;
  });
  const answer = await queryIndex<Readonly<Record<string, Counted>>>(`query { ${counts.join(" ")} }`, {}, signal);
  return [starts.map((start) => start / 1_000), starts.map((_, at) => answer[`s${at}`]?.aggregate.count ?? 0)];
}
