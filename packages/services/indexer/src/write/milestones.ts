import type { Row, Rows } from "./Rows.js";

/** Lengths that a network's epochs are counted by, in blocks. */
export interface EpochLengths {
  readonly epochLength: bigint;
  readonly quarantineLength: bigint;
}

/** Heights between two rows of `network_stats`. */
const statsHeights = 50n;
/** Heights in which a validator that proposed none does not take part. */
const recentHeights = 100n;

/** Epochs that begin with one of these final blocks. @spec 41 §6.9 */
export async function writeEpochs(rows: Rows, hashes: readonly string[], epoch: EpochLengths): Promise<void> {
  const { epochLength, quarantineLength } = epoch;
  if (epochLength <= 0n) return;
  for (const block of await blocksAt(rows, hashes, epochLength)) {
    const start = BigInt(block["block_number"] as bigint);
    const { validators } = await bondSet(rows, block["bond_set_id"]);
    await rows.add("epoch_transitions", [
      {
        epoch_number: start / epochLength,
        start_block: start,
        end_block: start + epochLength - 1n,
        active_validators: validators,
        quarantine_length: quarantineLength,
        timestamp: block["created_at"],
      },
    ]);
  }
}

/** How much of the stake took part before these final blocks, at every fiftieth height. */
export async function writeNetworkStats(rows: Rows, hashes: readonly string[]): Promise<void> {
  for (const block of await blocksAt(rows, hashes, statsHeights)) {
    const number = BigInt(block["block_number"] as bigint);
    const known = await rows.among("network_stats", ["id"], "block_number", [number]);
    if (known.length > 0) continue;
    const members = await rows.db
      .selectFrom("bond_set_members")
      .select(["validator_public_key", "stake"])
      .where("bond_set_id", "=", block["bond_set_id"])
      .execute();
    const proposers = await rows.db
      .selectFrom("chain_blocks")
      .select("proposer")
      .distinct()
      .where("block_number", ">", number - recentHeights)
      .where("block_number", "<=", number)
      .where("fate", "<>", "forkedAway")
      .execute();
    const active = new Set(proposers.map(({ proposer }) => proposer));
    const takingPart = members.filter(({ validator_public_key: key }) => active.has(key));
    const participation = share(stakeOf(takingPart), stakeOf(members));
    await rows.add("network_stats", [
      {
        block_number: number,
        total_validators: members.length,
        active_validators: takingPart.length,
        validators_in_quarantine: members.length - takingPart.length,
        consensus_participation: participation,
        consensus_status: participation > 66.67 ? "healthy" : participation > 33.33 ? "degraded" : "critical",
        timestamp: block["created_at"],
      },
    ]);
  }
}

/** Returns the blocks at heights that are multiples, in the order of their heights. */
async function blocksAt(rows: Rows, hashes: readonly string[], every: bigint): Promise<Row[]> {
  const columns = ["block_number", "bond_set_id", "created_at"];
  const blocks = await rows.among("chain_blocks", columns, "block_hash", hashes);
  const numberOf = (row: Row) => BigInt(row["block_number"] as bigint);
  return blocks
    .filter((row) => numberOf(row) % every === 0n)
    .sort((left, right) => Number(numberOf(left) - numberOf(right)));
}

async function bondSet(rows: Rows, id: unknown): Promise<{ readonly validators: unknown }> {
  return rows.db.selectFrom("bond_sets").select("validators").where("id", "=", id).executeTakeFirstOrThrow();
}

function stakeOf(members: readonly Row[]): bigint {
  return members.reduce((sum, row) => sum + BigInt(row["stake"] as bigint), 0n);
}

/** In percent, with two digits after the point. */
function share(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole) / 100;
}
