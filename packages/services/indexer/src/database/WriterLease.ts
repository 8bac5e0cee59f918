import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { IndexError } from "../IndexError.js";
import type { AnyTables } from "../schema/IndexTable.js";

/** In milliseconds. */
export interface LeaseTimes {
  /** A writer that does not renew its lease for this time loses it. */
  readonly lease: number;
  /** Between two words of the writer that has nothing to write. */
  readonly renew: number;
}

const usualTimes: LeaseTimes = { lease: 6_000, renew: 2_000 };

/** The process that writes an index, as another one that could write it sees it. */
export interface Writer {
  readonly isOwn: boolean;
  readonly name: string;
}

/**
 * Decides which of several processes writes the tables of a PostgreSQL: one at a time, by a row that it must renew.
 *
 * Every transaction that writes confirms the lease within itself, so that a process that has lost it, for example after
 * a pause, changes nothing any more. Times are those of the database's clock alone.
 *
 * @spec 60 §1.2
 */
export class WriterLease {
  readonly name: string;
  readonly #db: Kysely<AnyTables>;
  readonly #times: LeaseTimes;
  readonly #token = randomUUID();
  #isBeginning = true;
  #isHeld = false;
  #renewing: NodeJS.Timeout | undefined;

  /** @param name of the process; a process that restarts under its name need not wait for its own lease to end */
  constructor(db: Kysely<AnyTables>, name: string, times: LeaseTimes = usualTimes) {
    [this.#db, this.name, this.#times] = [db, name, times];
  }

  /** Makes its table where it is not there. */
  async prepare(): Promise<void> {
    await sql`create table if not exists index_writer (
      id integer primary key, token text not null, name text not null, until timestamptz not null)`.execute(this.#db);
    await sql`insert into index_writer values (1, '', '', 'epoch') on conflict do nothing`.execute(this.#db);
  }

  /** Takes the lease where it is free, and renews it where this process holds it. @returns the holder */
  async hold(): Promise<Writer> {
    const until = sql`clock_timestamp() + ${this.#times.lease / 1_000} * interval '1 second'`;
    const { numAffectedRows } = await sql`update index_writer set token = ${this.#token}, name = ${this.name},
      until = ${until} where token = ${this.#token} or until < clock_timestamp()
      or (${this.#isBeginning} and name = ${this.name})`.execute(this.#db);
    this.#isBeginning = false;
    this.#isHeld = numAffectedRows === 1n;
    if (this.#isHeld) this.#keepRenewing();
    else this.#endRenewing();
    if (this.#isHeld) return { isOwn: true, name: this.name };
    const { rows } = await sql<{ name: string }>`select name from index_writer`.execute(this.#db);
    return { isOwn: false, name: rows[0]?.name ?? "" };
  }

  /** To be called within every transaction that writes. @throws {IndexQueryError} `lostLease` */
  async confirm(transaction: Kysely<AnyTables>): Promise<void> {
    const { numAffectedRows } = await sql`update index_writer
      set until = clock_timestamp() + ${this.#times.lease / 1_000} * interval '1 second'
      where token = ${this.#token}`.execute(transaction);
    if (numAffectedRows === 1n) return;
    this.#isHeld = false;
    throw new IndexError({ code: "lostLease" });
  }

  /** Gives it up, so that another one need not wait. */
  async release(): Promise<void> {
    this.#endRenewing();
    if (!this.#isHeld) return;
    this.#isHeld = false;
    await sql`update index_writer set token = '', until = 'epoch' where token = ${this.#token}`.execute(this.#db);
  }

  /** A step may take longer than the lease: blocks are read before they are written. */
  #keepRenewing(): void {
    this.#renewing ??= setInterval(() => {
      // A failure is reported by the next write.
      if (this.#isHeld) void this.hold().catch(() => undefined);
    }, this.#times.renew).unref();
  }

  #endRenewing(): void {
    clearInterval(this.#renewing);
    this.#renewing = undefined;
  }
}
