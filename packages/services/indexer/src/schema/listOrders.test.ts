import { sql } from "kysely";
import { expect, test } from "vitest";
import { openDatabase } from "../database/openDatabase.js";
import { TestPlaces } from "../testing/index.js";
import { migrate } from "./migrate.js";

test.each([
  "blocks order by block_number asc, block_hash asc",
  "blocks order by deployment_count desc, block_number desc, block_hash asc",
  "blocks order by phlo_cost desc, block_number desc, block_hash asc",
  "deployments order by block_number asc, deploy_id asc",
  "deployments order by phlo_cost desc, block_number desc, deploy_id asc",
  "transfers order by amount_dust desc, id desc",
])("a sorted list reads an index in its order, not all rows: %s", async (list) => {
  await using places = new TestPlaces("sqlite");
  await using database = await openDatabase(await places.place());
  await migrate(database);
  const { rows } = await sql<{
    readonly detail: string;
  }>`explain query plan select * from ${sql.raw(list)} limit 50`.execute(database.db);
  const steps = rows.map(({ detail }) => detail);
  // Rows that an index has at one place may still be sorted.
  expect(steps).not.toContain("USE TEMP B-TREE FOR ORDER BY");
  expect(steps[0]).toMatch(/USING INDEX/);
});
