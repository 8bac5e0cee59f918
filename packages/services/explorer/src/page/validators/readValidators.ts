import { queryIndex } from "../../data/queryIndex.js";
import type { ValidatorActivity } from "./validatorActivity.js";

/** Spans of time over which blocks are counted. */
export const spanNames = { day: "last 24 hours", yesterday: "yesterday", week: "last 7 days" } as const;
export type SpanName = keyof typeof spanNames;

const dayMs = 86_400_000;

/** When a span begins and ends; `yesterday` is the reader's. */
export function timesOf(span: SpanName, now: Date): { readonly from: number; readonly to: number } {
  const to = now.getTime();
  if (span !== "yesterday") return { from: to - (span === "day" ? 1 : 7) * dayMs, to: to + 1 };
  const [year, month, day] = [now.getFullYear(), now.getMonth(), now.getDate()];
  return { from: new Date(year, month, day - 1).getTime(), to: new Date(year, month, day).getTime() };
}

/** The least and the greatest of some heights. */
export interface Heights {
  readonly low: number;
  readonly high: number;
}

/** Returns the heights with blocks in a span of time, without genesis; undefined if it has none. */
export async function heightsBetween(from: number, to: number, signal: AbortSignal): Promise<Heights | undefined> {
  const document = `query ($from: bigint!, $to: bigint!) {
    blocks_aggregate(where: {timestamp: {_gte: $from, _lt: $to}, block_number: {_gt: "0"}, fate: {_neq: "forkedAway"}}) {
      aggregate { min { block_number } max { block_number } } } }`;
  const variables = { from: String(from), to: String(to) };
  const { blocks_aggregate: found } = await queryIndex<{ blocks_aggregate: Extent }>(document, variables, signal);
  const { min, max } = found.aggregate;
  if (min.block_number === null || max.block_number === null) return undefined;
  return { low: Number(min.block_number), high: Number(max.block_number) };
}

interface Extent {
  readonly aggregate: {
    readonly min: { readonly block_number: string | null };
    readonly max: { readonly block_number: string | null };
  };
}

interface Count {
  readonly aggregate: { readonly count: number };
}

interface ValidatorRow {
  readonly public_key: string;
  readonly total_stake: string;
  readonly first_seen_block: string;
  readonly last_seen_block: string;
  readonly proposed: Count;
  readonly heights: Count;
  readonly orphaned: Count;
  readonly latest: readonly {
    readonly block_hash: string;
    readonly block_number: string;
    readonly timestamp: string;
  }[];
}

const within = "block_number: {_gte: $low, _lte: $high}";
const ofValidators = `query ($low: bigint!, $high: bigint!, $least: bigint!) {
  validators(where: {last_seen_block: {_gte: $least}}, order_by: {total_stake: desc}, limit: 500) {
    public_key total_stake first_seen_block last_seen_block
    proposed: blocks_aggregate(where: {${within}}) { aggregate { count } }
    heights: blocks_aggregate(where: {${within}, fate: {_neq: "forkedAway"}}) {
      aggregate { count(columns: [block_number], distinct: true) } }
    orphaned: blocks_aggregate(where: {${within}, fate: {_eq: "forkedAway"}}) { aggregate { count } }
    latest: blocks(order_by: {block_number: desc}, limit: 1) { block_hash block_number timestamp } } }`;

/** Returns each validator's work on some heights, as the index has counted it. @throws {IndexQueryError} */
export async function readValidators({ low, high }: Heights, signal: AbortSignal): Promise<ValidatorActivity[]> {
  const variables = { low: String(low), high: String(high), least: String(low) };
  const { validators } = await queryIndex<{ validators: readonly ValidatorRow[] }>(ofValidators, variables, signal);
  return validators.map((row) => activityOf(row, { low, high }));
}

function activityOf(row: ValidatorRow, heights: Heights): ValidatorActivity {
  const [latest] = row.latest;
  return {
    validator: row.public_key,
    stake: BigInt(row.total_stake),
    proposed: row.proposed.aggregate.count,
    withoutBlock: heightsWithoutBlock(row, heights, row.heights.aggregate.count),
    orphaned: row.orphaned.aggregate.count,
    latest: latest && {
      hash: latest.block_hash,
      number: Number(latest.block_number),
      timestamp: Number(latest.timestamp),
    },
    hasEquivocated: false,
  };
}

/** Heights at which a validator had a stake and no block that stayed. @param own heights with such a block */
export function heightsWithoutBlock(
  bonded: { readonly first_seen_block: string; readonly last_seen_block: string },
  { low, high }: Heights,
  own: number,
): number {
  // A validator with a stake in the parents of a block may propose it: the height after the bond's block counts.
  const first = Math.max(low, Number(bonded.first_seen_block) + 1);
  const last = Math.min(high, Number(bonded.last_seen_block));
  return Math.max(0, last - first + 1 - own);
}
