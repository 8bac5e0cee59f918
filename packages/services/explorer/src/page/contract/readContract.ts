import { queryIndex } from "../../data/queryIndex.js";
import { deployColumns } from "../deploys/deployRow.js";
import type { FiledDeploy } from "../deploys/deploysCsv.js";

/** A deploy that entered a contract into the registry. */
export interface ContractRegistration {
  readonly kind: string;
  readonly deploy_id: string;
  readonly deployer: string;
  readonly block_hash: string;
  readonly block_number: string;
  readonly created_at: string;
}

const registrationsQuery = `query ($uri: String!) {
  registered_contracts(where: {uri: {_eq: $uri}, block: {fate: {_neq: "forkedAway"}}},
    order_by: {block_number: desc}, limit: 20) { kind deploy_id deployer block_hash block_number created_at } }`;

/** Returns the registrations of a URI, the latest first. @throws {IndexQueryError} */
export async function readRegistrations(uri: string, signal: AbortSignal): Promise<readonly ContractRegistration[]> {
  const answer = await queryIndex<{ registered_contracts: readonly ContractRegistration[] }>(
    registrationsQuery,
    { uri },
    signal,
  );
  return answer.registered_contracts;
}

const callsQuery = `query ($words: String!, $skip: Int!, $limit: Int!) {
  search_deployments(args: {query: $words}, where: {fate: {_neq: "forkedAway"}},
    order_by: [{block_number: desc}, {deploy_id: asc}], limit: $limit, offset: $skip) {
    ${deployColumns} deployment_type } }`;

/** Returns deploys with programs that contain a URI, the latest first. @throws {IndexQueryError} */
export async function readCalls(
  { uri, skip, limit }: { readonly uri: string; readonly skip: number; readonly limit: number },
  signal: AbortSignal,
): Promise<readonly FiledDeploy[]> {
  const variables = { words: uri, skip, limit };
  const found = await queryIndex<{ search_deployments: readonly FiledDeploy[] }>(callsQuery, variables, signal);
  return found.search_deployments;
}
