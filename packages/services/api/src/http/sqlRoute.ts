import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { int32 } from "./scalars.js";

/** The maximum limits of a query, and the default ones. @spec 60 §6 */
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
  summary: "Returns the rows of one SELECT over the tables of the index.",
  description:
    "The query is read-only. With `format` `csv` or `ndjson` the answer is text, with `arrow` an Apache Arrow stream. In these formats the header `vedette-is-cut` states whether more rows exist.",
  body: {
    type: "application/json",
    schema: Type.Object({
      query: Type.String({ maxLength: 100_000 }),
      format: Type.Optional(Type.Enum(["json", "csv", "ndjson", "arrow"], { default: "json" })),
      integers: Type.Optional(
        Type.Enum(["text", "number"], {
          default: "text",
          description:
            "Form of integers in `json` and `ndjson`. `text`: decimal strings, safe for parsers that round 64-bit numbers; `number`: JSON numbers of any length. SQLite returns booleans as integers.",
        }),
      ),
      rows: Type.Optional(int32({ minimum: 1, maximum: rows.most, default: rows.usual })),
      timeoutMs: Type.Optional(int32({ minimum: 1, maximum: timeoutMs.most, default: timeoutMs.usual })),
    }),
  },
  answer: {
    description: "Column names and rows.",
    schema: Type.Object({
      columns: Type.Array(Type.String()),
      rows: Type.Array(Type.Array(Type.Unknown())),
      isCut: Type.Boolean({ description: "True if more rows exist." }),
      knownSince: Type.Optional(
        Type.String({
          description:
            "Lowest height from which the tables are complete; absent if they start at genesis. It requires `index.partial`; otherwise partial tables are refused. Other formats use the header `vedette-known-since`.",
        }),
      ),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "highest block", body: { query: "select max(block_number) from blocks" } }],
});
