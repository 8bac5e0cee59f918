import type { ChainMoment } from "@vedette/chain";
import { sql } from "kysely";
import type { IndexBlockFacts } from "../facts/IndexBlockFacts.js";
import { trafficSeconds } from "../schema/statisticsViews.js";
import { costOf, feesOf } from "./blockRows.js";
import type { Row, Rows } from "./Rows.js";
import { storedInteger } from "./Rows.js";

/** The counts that a block adds to its ten minutes. */
interface Counts {
  blocks: number;
  deploys: number;
  errored: number;
  transfers: number;
  phlo_cost: bigint;
  fees_dust: bigint;
  lagged: number;
  lag_heights: bigint;
  lag_ms: bigint;
  last_timestamp: bigint;
}

const nothing: Counts = {
  ...{ blocks: 0, deploys: 0, errored: 0, transfers: 0, phlo_cost: 0n, fees_dust: 0n },
  ...{ lagged: 0, lag_heights: 0n, lag_ms: 0n, last_timestamp: 0n },
};
const { last_timestamp: _, ...summed } = nothing;
const counted = Object.keys(summed);

/** Counts new blocks. */
export async function trafficChange(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<void> {
  const buckets = new Map<bigint, Counts>();
  for (const block of blocks) {
    if (block.fate === "forkedAway") continue;
    const counts = countsAt(buckets, block.timestamp);
    counts.blocks += 1;
    counts.deploys += block.deploys.length;
    counts.errored += block.deploys.filter(({ errored }) => errored).length;
    counts.transfers += (block.transfers ?? []).filter(({ deployId }) => deployId !== undefined).length;
    counts.phlo_cost += costOf(block);
    counts.fees_dust += feesOf(block);
    if (block.finalizedAt !== undefined) addLag(counts, block, block.finalizedAt);
    if (block.timestamp > counts.last_timestamp) counts.last_timestamp = storedInteger(block.timestamp);
  }
  await addCounts(rows, buckets);
}

/** A block with the moment in which it became final. */
export interface FinalBlock {
  readonly number: bigint;
  readonly timestamp: bigint;
  readonly finalizedAt: ChainMoment;
}

/** Counts how long blocks that are counted already took to become final. */
export async function countLags(rows: Rows, blocks: readonly FinalBlock[]): Promise<void> {
  const buckets = new Map<bigint, Counts>();
  for (const block of blocks) addLag(countsAt(buckets, block.timestamp), block, block.finalizedAt);
  await addCounts(rows, buckets);
}

function addLag(counts: Counts, block: Omit<FinalBlock, "finalizedAt">, { height, timestamp }: ChainMoment): void {
  counts.lagged += 1;
  counts.lag_heights += height - block.number;
  counts.lag_ms += storedInteger(timestamp) - storedInteger(block.timestamp);
}

/** @param timestamp of a block */
function countsAt(buckets: Map<bigint, Counts>, timestamp: bigint): Counts {
  const bucket = bucketOf(storedInteger(timestamp));
  const counts = buckets.get(bucket) ?? { ...nothing };
  buckets.set(bucket, counts);
  return counts;
}

async function addCounts(rows: Rows, buckets: ReadonlyMap<bigint, Counts>): Promise<void> {
  const added = [...buckets].map(([bucket, counts]): Row => ({ bucket, ...counts }));
  const sums = counted.map((column) => [
    column,
    sql`${sql.ref(`traffic.${column}`)} + ${sql.ref(`excluded.${column}`)}`,
  ]);
  const last = sql`case when excluded.last_timestamp > traffic.last_timestamp then excluded.last_timestamp
    else traffic.last_timestamp end`;
  await rows.merge("traffic", added, ["bucket"], { ...Object.fromEntries(sums), last_timestamp: last });
}

/** Takes a block out of the counts. */
export async function uncount(rows: Rows, hash: string): Promise<void> {
  const block = await rows.db
    .selectFrom("chain_blocks")
    .select(["timestamp", "deployment_count", "errored_count", "phlo_cost", "fees_dust"])
    .where("block_hash", "=", hash)
    .executeTakeFirst();
  if (block === undefined) return;
  const { transfers } = await rows.db
    .selectFrom("movements")
    .select(({ fn }) => fn.countAll().as("transfers"))
    .where("block_hash", "=", hash)
    .where("deploy_id", "is not", null)
    .executeTakeFirstOrThrow();
  await rows.db
    .updateTable("traffic")
    .set({
      blocks: sql`blocks - 1`,
      deploys: sql`deploys - ${BigInt(block["deployment_count"])}`,
      errored: sql`errored - ${BigInt(block["errored_count"])}`,
      transfers: sql`transfers - ${BigInt(transfers)}`,
      phlo_cost: sql`phlo_cost - ${BigInt(block["phlo_cost"])}`,
      fees_dust: sql`fees_dust - ${BigInt(block["fees_dust"])}`,
    })
    .where("bucket", "=", bucketOf(BigInt(block["timestamp"])))
    .execute();
}

function bucketOf(milliseconds: bigint): bigint {
  const seconds = milliseconds / 1000n;
  return seconds - (seconds % BigInt(trafficSeconds));
}
