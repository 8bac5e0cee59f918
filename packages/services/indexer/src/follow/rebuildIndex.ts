import { existsSync, renameSync, rmSync } from "node:fs";
import { sql } from "kysely";
import { type IndexLocation, openDatabase } from "../database/openDatabase.js";
import type { ChainFeed } from "./ChainFeed.js";
import { type IndexEvent, IndexFollower } from "./IndexFollower.js";

/** The parts of a rebuild. */
export interface RebuildParts {
  readonly place: IndexLocation;
  readonly feed: ChainFeed;
  readonly emit: (event: IndexEvent) => void;
}

/**
 * Makes an index anew beside the old one, which can be queried meanwhile, and puts it in the old one's place when all
 * blocks are in it. No other process may write the old one.
 *
 * @returns whether it finished before the signal
 */
export async function rebuildIndex({ place, feed, emit }: RebuildParts, signal: AbortSignal): Promise<boolean> {
  const next = beside(place);
  await removeIndex(next);
  const complete = new AbortController();
  {
    await using database = await openDatabase(next);
    const emitUntilComplete = (event: IndexEvent) => {
      emit(event);
      if (event.type === "indexComplete") complete.abort();
    };
    await new IndexFollower({ database, feed, emit: emitUntilComplete }).run(
      AbortSignal.any([signal, complete.signal]),
    );
    // The library closes a file at some later time: until then the newest rows are only in the log beside it.
    if (next.kind === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
  }
  if (!complete.signal.aborted) return false;
  await replaceIndex(place, next);
  return true;
}

function beside(place: IndexLocation): IndexLocation {
  if (place.kind === "sqlite") return { kind: "sqlite", path: `${place.path}.next` };
  return { ...place, schema: `${place.schema}_next` };
}

const sqliteSuffixes = ["", "-wal", "-shm"] as const;

async function removeIndex(place: IndexLocation): Promise<void> {
  if (place.kind === "sqlite") {
    for (const suffix of sqliteSuffixes) rmSync(`${place.path}${suffix}`, { force: true });
    return;
  }
  await using database = await openDatabase(place);
  await sql`drop schema if exists ${sql.id(place.schema)} cascade`.execute(database.db);
}

async function replaceIndex(place: IndexLocation, next: IndexLocation): Promise<void> {
  if (place.kind === "sqlite" && next.kind === "sqlite") {
    for (const suffix of ["-wal", "-shm"]) rmSync(`${place.path}${suffix}`, { force: true });
    if (existsSync(next.path)) renameSync(next.path, place.path);
    await removeIndex(next);
    return;
  }
  if (place.kind !== "postgres" || next.kind !== "postgres") return;
  await using database = await openDatabase(next);
  await database.db.transaction().execute(async (transaction) => {
    await sql`drop schema if exists ${sql.id(place.schema)} cascade`.execute(transaction);
    await sql`alter schema ${sql.id(next.schema)} rename to ${sql.id(place.schema)}`.execute(transaction);
  });
}
