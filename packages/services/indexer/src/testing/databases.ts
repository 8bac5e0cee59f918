import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IndexDatabase, type IndexLocation, openDatabase } from "../database/openDatabase.js";
import { migrate } from "../schema/migrate.js";
import { PostgresServer, postgresDirectory } from "./PostgresServer.js";

/** The kinds of databases that tests try: those that this machine has, SQLite alone in the default run. */
export const databaseKinds: readonly IndexLocation["kind"][] =
  postgresDirectory === undefined || process.env["VEDETTE_TEST_DATABASES"] === "sqlite"
    ? ["sqlite"]
    : ["sqlite", "postgres"];

/** Places for indexes of tests, deleted with it: files in a directory, or schemas of one PostgreSQL. */
export class TestPlaces implements AsyncDisposable {
  readonly #directory = mkdtempSync(join(tmpdir(), "vedette-index-"));
  readonly #kind: IndexLocation["kind"];
  #server: PostgresServer | undefined;
  #made = 0;

  constructor(kind: IndexLocation["kind"]) {
    this.#kind = kind;
  }

  /** The PostgreSQL; there after the first place. */
  get server(): PostgresServer {
    return this.#server!;
  }

  /** Another place, with nothing in it. */
  async place(): Promise<IndexLocation> {
    this.#made += 1;
    const name = `index${this.#made}`;
    if (this.#kind === "sqlite") return { kind: "sqlite", path: join(this.#directory, `${name}.sqlite`) };
    this.#server ??= await PostgresServer.start();
    return { kind: "postgres", url: this.#server.url, schema: name };
  }

  /** Another index, with its tables and no rows. */
  async database(): Promise<IndexDatabase> {
    const database = await openDatabase(await this.place());
    await migrate(database);
    return database;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}
