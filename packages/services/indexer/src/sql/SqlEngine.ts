import type { IndexReader } from "../database/IndexReader.js";
import { ReadBudget } from "../database/ReadBudget.js";
import { IndexError, type IndexFailure } from "../IndexError.js";
import { KnownPart } from "../query/KnownPart.js";
import { arrowStream, arrowTypeOf } from "./arrow.js";
import { type IntegerForm, type RowFormat, rowsText } from "./cells.js";
import { checkSelect } from "./checkSelect.js";

/** A question of the operator. */
export interface SqlRequest {
  readonly query: string;
  readonly format: RowFormat | "arrow";
  /** The form of integers in JSON; default: numbers. */
  readonly integers?: IntegerForm;
  /** Most rows in the answer. */
  readonly rows: number;
  readonly timeoutMs: number;
}

/** The rows, or why there are none. */
export type SqlAnswer =
  | {
      readonly kind: "rows";
      readonly columns: readonly string[];
      /** As text; of Arrow the bytes. */
      readonly body: string | Uint8Array;
      readonly count: number;
      /** Whether there are more rows. */
      readonly isCut: boolean;
      /** The height from which on the tables have all of the chain; 0: all of it. */
      readonly knownSince: bigint;
    }
  | { readonly kind: "failed"; readonly code: IndexFailure["code"]; readonly message: string };

/** The maximum size of all rows of one answer. */
const maxBytes = 32 << 20;

/** Answers one SELECT, within a time and a number of rows. @spec 60 §6 */
export class SqlEngine {
  readonly #reader: IndexReader;
  readonly #known: KnownPart;

  /** @param isPartial whether answers may be made from tables that lack the beginning of the chain */
  constructor(reader: IndexReader, isPartial = false) {
    this.#reader = reader;
    this.#known = new KnownPart(reader, isPartial);
  }

  async answer({ query, format, integers, rows: most, timeoutMs }: SqlRequest): Promise<SqlAnswer> {
    try {
      const text = checkSelect(query);
      const knownSince = await this.#known.since();
      const budget = new ReadBudget({ timeoutMs, rows: most + 1, bytes: maxBytes });
      // The line feed ends a comment.
      const sql = `select * from (${text}\n) as asked limit ${most + 1}`;
      const { columns, rows } = await this.#reader.table({ sql, parameters: [] }, budget);
      const first = rows.slice(0, most);
      const answer = { columns, body: await reportedAs({ format, integers }, columns, first), count: first.length };
      return { kind: "rows", ...answer, isCut: rows.length > most, knownSince };
    } catch (error) {
      if (!(error instanceof IndexError)) throw error;
      return { kind: "failed", code: error.failure.code, message: error.message };
    }
  }
}

function reportedAs(
  { format, integers }: { readonly format: SqlRequest["format"]; readonly integers: IntegerForm | undefined },
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
) {
  if (format !== "arrow") return rowsText(format, columns, rows, integers);
  const typed = columns.map((name, at) => ({ name, type: arrowTypeOf(rows.map((row) => row[at])) }));
  return arrowStream(typed, rows);
}
