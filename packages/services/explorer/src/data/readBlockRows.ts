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

interface BlockQuestion {
  readonly where: object;
  readonly skip: number;
  readonly limit: number;
}

const document = `query Blocks($where: blocks_bool_exp!, $skip: Int!, $limit: Int!) {
  blocks(where: $where, order_by: [{block_number: desc}, {block_hash: asc}], limit: $limit, offset: $skip) {
    block_hash block_number proposer timestamp deployment_count errored_count phlo_cost fate } }`;

/** Blocks that fit, the highest first. @throws {IndexQueryError} */
export async function readBlockRows(question: BlockQuestion, signal: AbortSignal): Promise<readonly BlockRow[]> {
  return (await queryIndex<{ readonly blocks: readonly BlockRow[] }>(document, { ...question }, signal)).blocks;
}
