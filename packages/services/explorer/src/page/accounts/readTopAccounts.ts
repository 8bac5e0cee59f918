import { queryIndex } from "../../data/queryIndex.js";

/** A vault and its balance, from the index. */
export interface TopAccountRow {
  readonly address: string;
  readonly balance_dust: string;
  readonly block_number: string;
  readonly block_hash: string;
  readonly updated_at: string;
}

/** The accounts with the most, and what all have together. */
export interface TopAccounts {
  readonly rows: readonly TopAccountRow[];
  readonly count: number;
  /** In the smallest unit, without what is staked. */
  readonly sum: bigint;
}

const document = `query Accounts($skip: Int!, $limit: Int!) {
  balances(order_by: [{balance_dust: desc}, {address: asc}], limit: $limit, offset: $skip) {
    address balance_dust block_number block_hash updated_at }
  balances_aggregate { aggregate { count sum { balance_dust } } }
}`;

interface TopAccountsAnswer {
  readonly balances: readonly TopAccountRow[];
  readonly balances_aggregate: {
    readonly aggregate: { readonly count: number; readonly sum: { readonly balance_dust: string | null } };
  };
}

/** @throws {IndexQueryError} */
export async function readTopAccounts(skip: number, limit: number, signal: AbortSignal): Promise<TopAccounts> {
  const answer = await queryIndex<TopAccountsAnswer>(document, { skip, limit }, signal);
  const { count, sum } = answer.balances_aggregate.aggregate;
  return { rows: answer.balances, count, sum: BigInt(sum.balance_dust ?? 0) };
}
