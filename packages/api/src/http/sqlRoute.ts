import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { int32 } from "./scalars.js";

/** What a question may have at most, and what it has when nothing is said. @spec 60 §6 */
export const sqlLimits = {
  rows: { most: 100_000, usual: 1_000 },
  timeoutMs: { most: 600_000, usual: 30_000 },
} as const;

const { rows, timeoutMs } = sqlLimits;

/** `POST /v2/sql` on the operator's port. @spec 60 §6 */
export const sqlRoute = defineRoute({
  name: "sql",
  method: "POST",
  paths: ["/v2/sql"],
  group: "Operator",
  summary: "Answers one SELECT over the tables of the index.",
  description:
    "Nothing can be written. With `format` `csv` or `ndjson` the rows come as such a text, with `arrow` as a stream of Apache Arrow, and the header `vedette-is-cut` says whether there are more.",
  body: {
    type: "application/json",
    schema: Type.Object({
      query: Type.String({ maxLength: 100_000 }),
      format: Type.Optional(Type.Enum(["json", "csv", "ndjson", "arrow"], { default: "json" })),
      integers: Type.Optional(
        Type.Enum(["text", "number"], {
          default: "text",
          description:
            "How `json` and `ndjson` have integers: decimal texts, since programs that read JSON numbers as floats would round those of 64 bits; or numbers of any length. On SQLite truth is an integer, too.",
        }),
      ),
      rows: Type.Optional(int32({ minimum: 1, maximum: rows.most, default: rows.usual })),
      timeoutMs: Type.Optional(int32({ minimum: 1, maximum: timeoutMs.most, default: timeoutMs.usual })),
    }),
  },
  answer: {
    description: "Columns and rows.",
    schema: Type.Object({
      columns: Type.Array(Type.String()),
      rows: Type.Array(Type.Array(Type.Unknown())),
      isCut: Type.Boolean({ description: "Whether there are more rows." }),
      knownSince: Type.Optional(
        Type.String({
          description:
            "The height from which on the tables have all of the chain, where that is not genesis: with index.partial alone, else the question is refused. In other formats it is the header `vedette-known-since`.",
        }),
      ),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "highest block", body: { query: "select max(block_number) from blocks" } }],
});
