import { queryIndex } from "../../data/queryIndex.js";
import { activeSpans, startsOf } from "./readActiveAccounts.js";

/** Queries of twenty spans each. */
const queries = 3;

/** The total stake of the validators at the end of a span of time, in the smallest unit. */
export interface SpanStake {
  /** The beginning of the span, in milliseconds since 1970. */
  readonly start: number;
  /** After the last final block of the span; `undefined` if the index has no such block. */
  readonly stake: bigint | undefined;
}

interface BondedBlock {
  readonly validator_bonds_aggregate: { readonly aggregate: { readonly sum: { readonly stake: string | null } } };
}

/**
 * Returns the total stake at the end of each of the last spans, the earliest first.
 *
 * @param lengthMs of an hour or a day
 * @param endMs time of the newest block
 * @throws {IndexQueryError}
 */
export async function readStakes(lengthMs: number, endMs: number, signal: AbortSignal): Promise<SpanStake[]> {
  const parts = Array.from({ length: queries }, (_, nth) => {
    const before = (queries - 1 - nth) * activeSpans * lengthMs;
    return readPart(startsOf(lengthMs, endMs - before), lengthMs, signal);
  });
  return (await Promise.all(parts)).flat();
}

async function readPart(starts: readonly number[], lengthMs: number, signal: AbortSignal): Promise<SpanStake[]> {
  const blocks = starts.map((start, at) => {
    const where = `{timestamp: {_gte: "${start}", _lt: "${start + lengthMs}"}, fate: {_eq: "finalized"}}`;
    return `s${at}: blocks(where: ${where}, order_by: {timestamp: desc}, limit: 1) {
      validator_bonds_aggregate { aggregate { sum { stake } } } }`;
  });
  const answer = await queryIndex<Readonly<Record<string, readonly BondedBlock[]>>>(
    `query { ${blocks.join(" ")} }`,
    {},
    signal,
  );
  return starts.map((start, at) => {
    const sum = answer[`s${at}`]?.[0]?.validator_bonds_aggregate.aggregate.sum.stake;
    return { start, stake: sum === undefined || sum === null ? undefined : BigInt(sum) };
  });
}
