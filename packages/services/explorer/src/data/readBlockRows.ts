import type { Finality } from "./BlockSummary.js";
import { queryIndex } from "./queryIndex.js";

/** A block as the index has it. */
export interface BlockRow {
  readonly block_hash: string;
  readonly block_number: string;
  readonly proposer: string;
  readonly timestamp: string;
  readonly deployment_count: number;
  readonly errored_count: number;
  readonly phlo_cost: string;
  readonly fate: Finality;
}

/** Orders of blocks that the index has for all of them. */
const orders = {
  newest: [{ block_number: "desc" }, { block_hash: "asc" }],
  oldest: [{ block_number: "asc" }, { block_hash: "asc" }],
  deploys: [{ deployment_count: "desc" }, { block_number: "desc" }, { block_hash: "asc" }],
  cost: [{ phlo_cost: "desc" }, { block_number: "desc" }, { block_hash: "asc" }],
} as const;
export type BlockOrder = keyof typeof orders;

interface BlockQuestion {
  readonly where: object;
  /** Default: the highest first. */
  readonly sort?: BlockOrder;
  readonly skip: number;
  readonly limit: number;
}

const document = `query Blocks($where: blocks_bool_exp!, $order: [blocks_order_by!]!, $skip: Int!, $limit: Int!) {
  blocks(where: $where, order_by: $order, limit: $limit, offset: $skip) {
    block_hash block_number proposer timestamp deployment_count errored_count phlo_cost fate } }`;

/** Blocks that fit, in an order. @throws {IndexQueryError} */
export async function readBlockRows(
  { sort = "newest", ...question }: BlockQuestion,
  signal: AbortSignal,
): Promise<readonly BlockRow[]> {
  const variables = { ...question, order: orders[sort] };
  return (await queryIndex<{ readonly blocks: readonly BlockRow[] }>(document, variables, signal)).blocks;
}
