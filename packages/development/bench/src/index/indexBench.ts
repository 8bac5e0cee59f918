import { join } from "node:path";
import { madeHash, madeUser, openIndexInProcess } from "@vedette/indexer/testing";
import { IndexFollower, openDatabase } from "@vedette/indexer/writing";
import { type Measurements, quantile } from "../Measurements.js";
import { GeneratedHistory } from "./GeneratedHistory.js";

/** The options of the benchmark. */
export interface IndexBenchOptions {
  readonly directory: string;
  /** Each has two deploys. */
  readonly blocks: number;
}

/** Each query so often, after some that warm up. */
const times = 60;
const warmUps = 5;

/** Fills an index, in a file, and runs an explorer's queries. */
export async function benchIndex(measurements: Measurements, { directory, blocks }: IndexBenchOptions): Promise<void> {
  const place = { kind: "sqlite", path: join(directory, "index.sqlite") } as const;
  const before = process.memoryUsage.rss();
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  {
    await using database = await openDatabase(place);
    const feed = new GeneratedHistory(blocks);
    const ended = new AbortController();
    const began = performance.now();
    const usedBefore = process.cpuUsage();
    const running = new IndexFollower({ database, feed, emit: () => undefined }).run(ended.signal);
    await feed.done;
    measurements.add("index: blocks of two deploys written", (blocks * 1000) / (performance.now() - began), "blocks/s");
    const { user, system } = process.cpuUsage(usedBefore);
    measurements.add(
      "index: processor time of that, with making the blocks",
      (user + system) / 1000 / blocks,
      "ms/block",
    );
    ended.abort();
    await running;
  }
  clearInterval(timer);
  measurements.add("index: memory while it is filled, with what makes the blocks", (peak - before) / 1e6, "MB");
  await using asked = await openIndexInProcess(place);
  for (const [what, query] of Object.entries(requestedQueries)) {
    const taken: number[] = [];
    let used = process.cpuUsage();
    for (let round = 0; round < times + warmUps; round += 1) {
      if (round === warmUps) used = process.cpuUsage();
      const began = performance.now();
      const json = JSON.stringify((await asked.answer({ query })).body);
      if (round >= warmUps) taken.push(performance.now() - began);
      if (json.includes('"errors"')) throw new Error(`${what}: ${json.slice(0, 500)}`);
    }
    const { user, system } = process.cpuUsage(used);
    measurements.add(`index of ${2 * blocks} deploys: ${what}, p50`, quantile(taken, 0.5), "ms");
    measurements.add(`index of ${2 * blocks} deploys: ${what}, processor time`, (user + system) / 1000 / times, "ms");
  }
}

const { address } = madeUser("user 7");
const digits = madeHash("block 30000").slice(20, 28);

/** The queries of an explorer, page by page. */
const requestedQueries: { readonly [what: string]: string } = {
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
