import { type Kysely, type Migration, Migrator } from "kysely";
import type { IndexDatabase } from "../database/openDatabase.js";
import { createTables, dropTables } from "./createTables.js";
import type { AnyTables } from "./IndexTable.js";

/**
 * The steps that make today's tables, oldest first, the same for both databases. A step that cannot bring rows along
 * makes the tables anew, so that the index goes through all blocks again.
 */
function migrationsOf(kind: IndexDatabase["kind"]): { readonly [name: string]: Migration } {
  // Every step makes today's tables: once one has made them, those after it have nothing to do.
  let areMade = false;
  const anew: Migration = {
    up: async (db: Kysely<AnyTables>) => {
      if (areMade) return;
      await dropTables(kind, db);
      await createTables(kind, db);
      areMade = true;
    },
  };
  const first: Migration = {
    up: async (db: Kysely<AnyTables>) => {
      await createTables(kind, db);
      areMade = true;
    },
  };
  return {
    "001_tables": first,
    "002_numbered_deploys": anew,
    // Blocks that became final while they were read had been left out of counts and balances.
    "003_counted_when_final": anew,
    // Stakes of genesis were in no balance, times between blocks were counted by the bucket.
    "004_stakes_of_genesis": anew,
    // The rejections in f1r3node's blocks were not read.
    "005_rejections": anew,
    // Deploys of final blocks were taken for finalized or failed before that was decided.
    "006_verdicts": anew,
    // Tables that lack the beginning of the chain did not state it.
    "007_known_since": anew,
    // Lists by cost and by amount read every row; names that deploys read, and fees, were not stored.
    "008_lists_and_reads": anew,
    // When blocks became final was not stored.
    [schemaVersion]: anew,
  };
}

/** The version of the tables: the name of the last step. */
export const schemaVersion = "009_finality_lag";

/** Whether steps that were made left nothing of rows that were there before. */
export function isAnew(steps: readonly string[]): boolean {
  return steps.includes(schemaVersion) && !steps.includes("001_tables");
}

/** Brings a database's tables up to date. @returns the steps that were made @throws the database's error */
export async function migrate({ kind, db, schema }: IndexDatabase): Promise<readonly string[]> {
  const migrations = migrationsOf(kind);
  const provider = { getMigrations: async () => ({ ...migrations }) };
  const place = schema === undefined ? {} : { migrationTableSchema: schema };
  const migrator = new Migrator({ db, provider, ...place });
  const { error, results = [] } = await migrator.migrateToLatest();
  if (error !== undefined) throw error;
  return results.filter(({ status }) => status === "Success").map(({ migrationName }) => migrationName);
}
