import { queryIndex } from "../../data/queryIndex.js";

/** A transfer as the index returns it. */
export interface TransferRow {
  readonly id: string;
  readonly block_number: string;
  readonly block_hash: string;
  readonly timestamp: string;
  readonly from_address: string;
  readonly to_address: string;
  readonly amount_dust: string;
  readonly status: string;
  readonly fail_reason: string | null;
  readonly fate: "included" | "failedSoFar" | "rejected" | "forkedAway" | "finalized" | "failed" | "expired";
  readonly deploy_id: string;
}

const fields = `id block_number block_hash timestamp from_address to_address amount_dust status fail_reason fate
  deploy_id`;
const order = { newest: "[{block_number: desc}, {id: desc}]", amount: "[{amount_dust: desc}, {id: desc}]" } as const;

/** The request for a page of transfers. */
export interface TransferQuestion {
  readonly where: object;
  readonly by: keyof typeof order;
  readonly skip: number;
  readonly limit: number;
}

/** Transfers of all accounts, of blocks that are not forked away. @throws {IndexQueryError} */
export async function readTransferRows(
  { where, by, skip, limit }: TransferQuestion,
  signal: AbortSignal,
): Promise<readonly TransferRow[]> {
  const document = `query Transfers($where: transfers_bool_exp!, $skip: Int!, $limit: Int!) {
    transfers(where: {_and: [{fate: {_neq: "forkedAway"}}, $where]}, order_by: ${order[by]},
      limit: $limit, offset: $skip) { ${fields} } }`;
  const variables = { where, skip, limit };
  return (await queryIndex<{ readonly transfers: readonly TransferRow[] }>(document, variables, signal)).transfers;
}
