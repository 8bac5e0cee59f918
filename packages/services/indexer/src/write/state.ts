import { sql } from "kysely";
import { type IndexDatabase, inTransaction } from "../database/openDatabase.js";
import type { IndexChange } from "../facts/IndexBlockFacts.js";
import type { AnyTables } from "../schema/IndexTable.js";
import { schemaVersion } from "../schema/migrate.js";
import type { Row, Rows } from "./Rows.js";
import { timestampText } from "./Rows.js";

/** Where an index goes on. */
export interface IndexPosition {
  /** In the event log; `undefined` while all blocks are gone through first. */
  readonly cursor: string | undefined;
  /** The next height of those that are gone through; `undefined` when all have been. */
  readonly backfill: { readonly height: bigint; readonly cursor: string } | undefined;
  /** Which of several that could wrote last. */
  readonly writer?: string | undefined;
  /** The block that the chain is begun with, where another process's node begins it elsewhere. */
  readonly chain?: string | undefined;
  /** The height from which on the tables have all of the chain; left out where that has not changed. */
  readonly knownSince?: bigint | undefined;
}

const indexerVersion = "vedette";
/** Its row in `indexer_state` has the height from which on the tables have all of the chain. */
export const knownSinceKey = "known_since";

/** Writes where the index resumes, and its facts about itself. */
export async function writeState(
  rows: Rows,
  changes: readonly IndexChange[],
  { cursor, backfill, writer, chain, knownSince }: IndexPosition,
): Promise<void> {
  const added = changes.flatMap((change) => (change.kind === "blockAdded" ? [change.block] : []));
  const last = added.at(-1);
  const facts: Record<string, string> = {
    cursor: cursor ?? "",
    backfill_height: backfill === undefined ? "" : String(backfill.height),
    backfill_cursor: backfill?.cursor ?? "",
    indexer_version: indexerVersion,
    schema_version: schemaVersion,
    ...(writer === undefined ? {} : { writer }),
    ...(chain === undefined ? {} : { chain }),
    ...(knownSince === undefined ? {} : { [knownSinceKey]: String(knownSince) }),
  };
  if (last !== undefined) {
    const top = await rows.db
      .selectFrom("chain_blocks")
      .select(({ fn }) => fn.max("block_number").as("height"))
      .executeTakeFirst();
    facts["last_indexed_block"] = String(top?.["height"] ?? 0);
  }
  const updatedAt = timestampText(last?.timestamp ?? 0n);
  const stated = Object.entries(facts).map(([key, value]): Row => ({ key, value, updated_at: updatedAt }));
  const isLater = sql`case when excluded.updated_at > indexer_state.updated_at then excluded.updated_at
    else indexer_state.updated_at end`;
  await rows.merge("indexer_state", stated, ["key"], { value: sql`excluded.value`, updated_at: isLater });
}

/** Where an index goes on; everything is still to be done in one that is new. */
export async function readPosition({ db }: IndexDatabase): Promise<IndexPosition> {
  const state = await readFacts(db);
  const height = state.get("backfill_height") ?? "";
  const cursor = state.get("cursor") ?? "";
  return {
    cursor: cursor === "" ? undefined : cursor,
    backfill: height === "" ? undefined : { height: BigInt(height), cursor: state.get("backfill_cursor") ?? "" },
    writer: state.get("writer"),
  };
}

async function readFacts(db: AnyTables): Promise<Map<string, string>> {
  const rows: Row[] = await db.selectFrom("indexer_state").select(["key", "value"]).execute();
  return new Map(rows.map(({ key, value }) => [key as string, value as string]));
}

/** The greatest height that is indexed; `undefined` where nothing is. */
export async function readHeight({ db }: IndexDatabase): Promise<string | undefined> {
  return (await readFacts(db)).get("last_indexed_block");
}

/** The height from which on the tables have all of the chain; `undefined` in such as have nothing. */
export async function readKnownSince(db: AnyTables): Promise<bigint | undefined> {
  const since = (await readFacts(db)).get(knownSinceKey);
  return since === undefined ? undefined : BigInt(since);
}

/** The block that the indexed chain was begun with. */
export async function readChain({ db }: IndexDatabase): Promise<string | undefined> {
  return (await readFacts(db)).get("chain");
}

/** Remembers which chain it is. */
export async function noteChain(database: IndexDatabase, begunWith: string): Promise<void> {
  await inTransaction(database, (db) =>
    db
      .insertInto("indexer_state")
      .values({ key: "chain", value: begunWith, updated_at: timestampText(0n) })
      .onConflict((conflict) => conflict.column("key").doUpdateSet({ value: begunWith }))
      .execute(),
  );
}

/** Where the node of another process can go on. */
export interface TakeoverPlace {
  /** The highest block that is final. */
  readonly final: { readonly height: bigint; readonly hash: string };
  /** The lowest height of which something is undecided; one above the final block where nothing is. */
  readonly undecided: bigint;
}

/** @returns `undefined` where nothing is final */
export async function readTakeoverPlace({ db }: IndexDatabase): Promise<TakeoverPlace | undefined> {
  const final: Row | undefined = await db
    .selectFrom("chain_blocks")
    .select(["block_number", "block_hash"])
    .where("fate", "=", "finalized")
    .orderBy("block_number", "desc")
    .limit(1)
    .executeTakeFirst();
  if (final === undefined) return undefined;
  const height = final["block_number"] as bigint;
  const pending: Row | undefined = await db
    .selectFrom("chain_blocks")
    .select(["block_number"])
    .where("fate", "=", "pending")
    .orderBy("block_number")
    .limit(1)
    .executeTakeFirst();
  const lowest = (pending?.["block_number"] as bigint | undefined) ?? height + 1n;
  return { final: { height, hash: final["block_hash"] as string }, undecided: lowest < height ? lowest : height + 1n };
}
