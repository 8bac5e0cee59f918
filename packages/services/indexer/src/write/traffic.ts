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
  last_timestamp: bigint;
}

const counted = ["blocks", "deploys", "errored", "transfers", "phlo_cost", "fees_dust"] as const;

/** Counts new blocks. */
export async function trafficChange(rows: Rows, blocks: readonly IndexBlockFacts[]): Promise<void> {
  const buckets = new Map<bigint, Counts>();
  for (const block of blocks) {
    if (block.fate === "forkedAway") continue;
    const bucket = bucketOf(storedInteger(block.timestamp));
    let counts = buckets.get(bucket);
    if (counts === undefined) {
      counts = { blocks: 0, deploys: 0, errored: 0, transfers: 0, phlo_cost: 0n, fees_dust: 0n, last_timestamp: 0n };
      buckets.set(bucket, counts);
    }
    counts.blocks += 1;
    counts.deploys += block.deploys.length;
    counts.errored += block.deploys.filter(({ errored }) => errored).length;
    counts.transfers += (block.transfers ?? []).filter(({ deployId }) => deployId !== undefined).length;
    counts.phlo_cost += costOf(block);
    counts.fees_dust += feesOf(block);
    if (block.timestamp > counts.last_timestamp) counts.last_timestamp = storedInteger(block.timestamp);
  }
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
