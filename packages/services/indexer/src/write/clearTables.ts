import { sql } from "kysely";
import { type IndexDatabase, inTransaction } from "../database/openDatabase.js";
import { indexTables } from "../schema/tables.js";

/** Takes all rows out of an index. */
export async function clearTables(database: IndexDatabase): Promise<void> {
  const { kind } = database;
  const names = indexTables.filter(({ view }) => view === undefined).map(({ name }) => name);
  await inTransaction(database, async (transaction) => {
    if (kind === "postgres") await sql`truncate ${sql.join(names.map((name) => sql.table(name)))}`.execute(transaction);
    else {
      for (const name of names) await transaction.deleteFrom(name).execute();
      await sql`insert into deploy_words(deploy_words) values ('rebuild')`.execute(transaction);
    }
  });
}
