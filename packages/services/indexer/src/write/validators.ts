import { sql } from "kysely";
import type { IndexBlockFacts, IndexChange } from "../facts/IndexBlockFacts.js";
import { addressOf } from "./blockRows.js";
import type { Row, Rows } from "./Rows.js";
import { timestampText } from "./Rows.js";

interface Seen {
  first: IndexBlockFacts;
  last: IndexBlockFacts;
}

/** Updates which validators have a stake, since when, and which have one now. */
export async function updateValidators(rows: Rows, changes: readonly IndexChange[]): Promise<void> {
  const blocks = changes.flatMap((change) =>
    change.kind === "blockAdded" && change.block.fate !== "forkedAway" ? [change.block] : [],
  );
  const hasFork = changes.some(({ kind }) => kind === "blockOrphaned");
  if (blocks.length === 0 && !hasFork) return;
  await rows.merge("validators", rowsOf(blocks), ["public_key"], {
    first_seen_block: least("first_seen_block", "first_seen_block"),
    created_at: least("created_at", "first_seen_block"),
    updated_at: greatest("updated_at", "last_seen_block"),
    last_seen_block: greatest("last_seen_block", "last_seen_block"),
  });
  await setStakes(rows);
}

function rowsOf(blocks: readonly IndexBlockFacts[]): Row[] {
  const seen = new Map<string, Seen>();
  for (const block of blocks)
    for (const { validator } of block.bonds) {
      const known = seen.get(validator);
      if (known === undefined) seen.set(validator, { first: block, last: block });
      else if (block.number < known.first.number) known.first = block;
      else if (block.number >= known.last.number) known.last = block;
    }
  return [...seen].map(([validator, { first, last }]) => ({
    public_key: validator,
    name: `${validator.slice(0, 20)}...`,
    total_stake: 0n,
    first_seen_block: first.number,
    last_seen_block: last.number,
    status: "active",
    created_at: timestampText(first.timestamp),
    updated_at: timestampText(last.timestamp),
    address: addressOf(validator),
  }));
}

const least = (column: string, by: string) => chosen(column, by, sql`<`);
const greatest = (column: string, by: string) => chosen(column, by, sql`>`);

function chosen(column: string, by: string, isBefore: ReturnType<typeof sql>) {
  const [old, added] = [sql.ref(`validators.${by}`), sql.ref(`excluded.${by}`)];
  return sql`case when ${added} ${isBefore} ${old} then ${sql.ref(`excluded.${column}`)}
    else ${sql.ref(`validators.${column}`)} end`;
}

/** Stakes are those of the highest block. */
async function setStakes(rows: Rows): Promise<void> {
  const top = await rows.db
    .selectFrom("chain_blocks")
    .select("bond_set_id")
    .where("fate", "<>", "forkedAway")
    .orderBy("block_number", "desc")
    .orderBy("block_hash", "desc")
    .limit(1)
    .executeTakeFirst();
  if (top === undefined) return;
  const stake = sql<bigint>`coalesce((select m.stake from bond_set_members m
    where m.bond_set_id = ${top["bond_set_id"]} and m.validator_public_key = validators.public_key), 0)`;
  await rows.db
    .updateTable("validators")
    .set({ total_stake: stake, status: sql`case when ${stake} > 0 then 'active' else 'inactive' end` })
    .where((where) => where.or([where("total_stake", "<>", stake), where("total_stake", "=", 0n)]))
    .execute();
}
