import { madeHash, madeUser } from "@vedette/indexer/testing";

const { address } = madeUser("user 7");
const digits = madeHash("block 30000").slice(20, 28);

/** The queries of an explorer, page by page. */
export const requestedQueries: { readonly [what: string]: string } = {
  "latest blocks with deploys": `{ blocks(limit: 20, order_by: {block_number: desc}) { block_number block_hash timestamp
    proposer deployment_count finalization_status deployments { deploy_id deployer errored phlo_cost } } }`,
  "a block": `{ blocks(where: {block_number: {_eq: "30000"}}) { block_number block_hash parent_hash timestamp bonds_map
    justifications deployments { deploy_id term deployer phlo_cost errored error_message } validator_bonds { stake
    validator_public_key } } }`,
  "latest deploys": `{ deployments(limit: 50, order_by: {timestamp: desc}) { deploy_id deployer term timestamp phlo_cost
    errored block_number deployment_type } }`,
  "a deploy": `{ deployments(where: {deploy_id: {_eq: "${madeHash("deploy transfer 30000")}00"}}) { deploy_id term
    block { block_hash block_number } transfers { from_address to_address amount_asi status } } }`,
  "latest transfers": `{ transfers(limit: 50, order_by: {block_number: desc}) { deploy_id from_address to_address
    amount_asi status block { timestamp } } }`,
  "transfers of an account": `{ transfers(limit: 50, order_by: {block_number: desc}, where: {_or: [
    {from_address: {_eq: "${address}"}}, {to_address: {_eq: "${address}"}}]}) { deploy_id amount_asi block_number } }`,
  "validators and metrics": `{ validators(order_by: {total_stake: desc}) { public_key name total_stake status }
    get_network_metrics(args: {p_range_hours: 24, p_divisions: 7}) { bucket_start avg_tps deployments_count } }`,
  "words of programs": `{ search_deployments(args: {query: "lantern number2400*"}, limit: 20) { deploy_id deployer
    block_number } }`,
  "a piece of a hash": `{ blocks(limit: 20, where: {block_hash: {_ilike: "%${digits}%"}}) { block_number block_hash } }`,
  "counts of blocks, deploys, transfers": `{ blocks_aggregate { aggregate { count } } deployments_aggregate { aggregate {
    count } } transfers_aggregate { aggregate { count } } }`,
};
