import type { ChainMoment } from "@vedette/chain";
import { sql } from "kysely";
import type { IndexDatabase } from "../database/openDatabase.js";
import type { JudgedFacts, RejectionFacts } from "../facts/IndexBlockFacts.js";
import { idHashOf } from "./blockRows.js";
import { evened, type Row, type Rows, storedInteger } from "./Rows.js";
import { countLags, uncount } from "./traffic.js";

/** The rejected deploys of a block. */
interface Rejections {
  readonly hash: string;
  readonly rejections: readonly RejectionFacts[];
}

/** The fate of a movement: its deploy's where that counts by this block. */
const shownFate = sql<string | null>`(select d.fate from deploys d
  where d.deploy_id = movements.deploy_id and d.block_hash = movements.block_hash)`;
const finalFate = sql<string>`case when has_effect then 'finalized' else 'failedSoFar' end`;

/** Blocks that have become final, with the deploys that are not in the state. */
export async function finalizeBlocks(
  rows: Rows,
  hashes: readonly string[],
  rejected: readonly Rejections[],
): Promise<void> {
  const { db } = rows;
  const among = evened(hashes);
  await db
    .updateTable("chain_blocks")
    .set({ fate: "finalized", finalization_status: "finalized" })
    .where("block_hash", "in", among)
    .execute();
  for (const table of ["block_deploys", "deploys"])
    await db.updateTable(table).set({ fate: finalFate, rejected_by: null }).where("block_hash", "in", among).execute();
  await db.updateTable("movements").set({ fate: shownFate }).where("block_hash", "in", among).execute();
  for (const one of rejected) await rejectDeploys(rows, one);
  const others = await db
    .selectFrom("block_deploys as b")
    .innerJoin("deploys as d", "d.deploy_id", "b.deploy_id")
    .select("b.deploy_id")
    .distinct()
    .where("b.block_hash", "in", among)
    .whereRef("d.block_hash", "<>", "b.block_hash")
    .execute();
  await chooseBlocks(rows, others.map(idOf));
}

/** How sure final blocks are, by their hashes; most of them alike. */
export async function noteTolerances({ db }: Rows, tolerances: readonly (readonly [string, number])[]): Promise<void> {
  for (const tolerance of new Set(tolerances.map(([, one]) => one))) {
    const hashes = tolerances.filter(([, one]) => one === tolerance).map(([hash]) => hash);
    await db
      .updateTable("chain_blocks")
      .set({ fault_tolerance: tolerance })
      .where("block_hash", "in", evened(hashes))
      .execute();
  }
}

/**
 * When blocks became final, by their hashes. What the tables have already stays: another node may have found the same
 * block final at another moment.
 */
export async function noteFinality(rows: Rows, moments: ReadonlyMap<string, ChainMoment>): Promise<void> {
  const columns = ["block_hash", "block_number", "timestamp", "finalized_at_block_number"];
  const found = await rows.among("chain_blocks", columns, "block_hash", [...moments.keys()]);
  const lacking = new Map(
    found.flatMap((row) => (row["finalized_at_block_number"] === null ? [[row["block_hash"] as string, row]] : [])),
  );
  const blocks = [...lacking].map(([hash, row]) => {
    const [number, timestamp] = [BigInt(row["block_number"] as bigint), BigInt(row["timestamp"] as bigint)];
    return { hash, number, timestamp, finalizedAt: moments.get(hash)! };
  });
  for (const { hash, finalizedAt } of blocks)
    await rows.db
      .updateTable("chain_blocks")
      .set({
        finalized_at_block_number: finalizedAt.height,
        finalized_at_timestamp: storedInteger(finalizedAt.timestamp),
      })
      .where("block_hash", "=", hash)
      .execute();
  await countLags(rows, blocks);
}

/** A block that can never become final. */
export async function forkAway(rows: Rows, hash: string): Promise<void> {
  const { db } = rows;
  const { numUpdatedRows } = await db
    .updateTable("chain_blocks")
    .set({ fate: "forkedAway", finalization_status: "unfinalized" })
    .where("block_hash", "=", hash)
    .where("fate", "<>", "forkedAway")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) return;
  await uncount(rows, hash);
  await db.updateTable("block_deploys").set({ fate: "forkedAway" }).where("block_hash", "=", hash).execute();
  await chooseBlocks(rows, (await deploysOf(rows, hash)).map(idOf));
  const stale = await db.selectFrom("balances").select("address").where("block_hash", "=", hash).execute();
  for (const { address } of stale) await balanceBefore(rows, address as string);
}

/** Deploys of a block that a final merge gave up. */
export async function rejectDeploys(rows: Rows, { hash, rejections }: Rejections): Promise<void> {
  const rejecters = new Map(rejections.map(({ idHash, rejectedBy }) => [idHash, rejectedBy]));
  await changeFates(rows, hash, (id) => {
    const rejectedBy = rejecters.get(idHashOf(id));
    return rejectedBy === undefined ? undefined : { fate: "rejected", rejected_by: rejectedBy };
  });
}

/** Deploys of a final block that are in the state again. */
export async function restoreDeploys(rows: Rows, { hash, rejections }: Rejections): Promise<void> {
  const restored = new Set(rejections.map(({ idHash }) => idHash));
  await changeFates(rows, hash, (id) =>
    restored.has(idHashOf(id)) ? { fate: finalFate, rejected_by: null } : undefined,
  );
}

async function changeFates(
  rows: Rows,
  hash: string,
  changeOf: (deployId: string) => object | undefined,
): Promise<void> {
  const changed: string[] = [];
  for (const row of await deploysOf(rows, hash)) {
    const change = changeOf(idOf(row));
    if (change === undefined) continue;
    changed.push(idOf(row));
    await rows.db
      .updateTable("block_deploys")
      .set(change)
      .where("block_hash", "=", hash)
      .where("deploy_id", "=", idOf(row))
      .execute();
  }
  await chooseBlocks(rows, changed);
}

const idOf = (row: Row) => row["deploy_id"] as string;

function deploysOf(rows: Rows, hash: string): Promise<Row[]> {
  return rows.db.selectFrom("block_deploys").select("deploy_id").where("block_hash", "=", hash).execute();
}

/** Which inclusion of a deploy counts, the first one first. */
const order = ["finalized", "failed", "expired", "failedSoFar", "included", "rejected", "forkedAway"];

/** Finds for each deploy anew which of its blocks counts. */
export async function chooseBlocks(rows: Rows, deployIds: readonly string[]): Promise<void> {
  for (const deployId of deployIds) {
    const inclusions: Row[] = await rows.db
      .selectFrom("block_deploys as d")
      .innerJoin("chain_blocks as b", "b.block_hash", "d.block_hash")
      .select(["d.block_hash", "d.block_number", "d.phlo_cost", "d.errored", "d.error_message"])
      .select(["d.has_effect", "d.fate", "d.rejected_by", "b.created_at"])
      .where("d.deploy_id", "=", deployId)
      .execute();
    const [best] = inclusions.sort(byWeight);
    if (best === undefined) continue;
    await rows.db.updateTable("deploys").set(best).where("deploy_id", "=", deployId).execute();
    await rows.db.updateTable("movements").set({ fate: shownFate }).where("deploy_id", "=", deployId).execute();
  }
}

/** The fates that are not final, of deploys of blocks about which all is decided. */
const undecidedFates = ["failedSoFar", "rejected", "forkedAway"];
const maxJudged = 500;

/**
 * Deploys of the blocks of some heights, both included, without a known final status; a limited number of the lowest ones.
 */
export async function undecidedDeploys(
  { db }: IndexDatabase,
  { from, to }: { readonly from: bigint; readonly to: bigint },
): Promise<readonly JudgedFacts[]> {
  const found: Row[] = await db
    .selectFrom("deploys")
    .select(["deploy_id", "valid_after_block_number"])
    .where("block_number", ">=", from)
    .where("block_number", "<=", to)
    .where("fate", "in", undecidedFates)
    .orderBy("block_number")
    .limit(maxJudged)
    .execute();
  return found.map((row) => {
    return { id: idOf(row), validAfterBlockNumber: BigInt(row["valid_after_block_number"] as bigint) };
  });
}

/** Writes the final outcome of a deploy if its effect is not in the final state. */
export async function judgeDeploy(rows: Rows, deployId: string, verdict: "failed" | "expired"): Promise<void> {
  const failed = sql<string>`case when fate = 'failedSoFar' then 'failed' else fate end`;
  await rows.db
    .updateTable("block_deploys")
    .set({ fate: verdict === "failed" ? failed : verdict })
    .where("deploy_id", "=", deployId)
    .execute();
  await chooseBlocks(rows, [deployId]);
}

function byWeight(left: Row, right: Row): number {
  const weight = order.indexOf(left["fate"] as string) - order.indexOf(right["fate"] as string);
  if (weight !== 0) return weight;
  const height = (left["block_number"] as bigint) - (right["block_number"] as bigint);
  if (height !== 0n) return height < 0n ? -1 : 1;
  return (left["block_hash"] as string) < (right["block_hash"] as string) ? -1 : 1;
}

/** Restores the balance of a vault before a block that was forked away. */
async function balanceBefore(rows: Rows, address: string): Promise<void> {
  const { db } = rows;
  const before = await db
    .selectFrom("balance_states as s")
    .innerJoin("chain_blocks as b", "b.block_hash", "s.block_hash")
    .select(["s.unbonded_balance_dust as balance_dust", "s.block_hash", "s.block_number", "s.updated_at"])
    .where("s.address", "=", address)
    .where("b.fate", "<>", "forkedAway")
    .orderBy("s.block_number", "desc")
    .orderBy("s.block_hash", "desc")
    .limit(1)
    .executeTakeFirst();
  if (before === undefined) await db.deleteFrom("balances").where("address", "=", address).execute();
  else await db.updateTable("balances").set(before).where("address", "=", address).execute();
}
