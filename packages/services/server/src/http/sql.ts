import { sqlLimits, sqlRoute } from "@vedette/api";
import { IndexBusyError, IndexError, type IndexQueries, type SqlAnswer } from "@vedette/indexer";
import { Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { describeRoute, readOurs } from "./serve.js";
import { whileConnected } from "./whileConnected.js";

const types = {
  json: "application/json",
  csv: "text/csv; charset=utf-8",
  ndjson: "application/x-ndjson",
  arrow: "application/vnd.apache.arrow.stream",
} as const;

/** `POST /v2/sql`. @spec 60 §6 */
export function registerSql(server: FastifyInstance, index: IndexQueries): void {
  describeRoute(server, sqlRoute);
  server.route({
    method: "POST",
    url: sqlRoute.paths[0],
    config: { contract: sqlRoute },
    handler: async (request, reply) => {
      const { query, format = "json", integers = "text", rows, timeoutMs } = readOurs(sqlRoute, request).body;
      const limits = { rows: rows ?? sqlLimits.rows.usual, timeoutMs: timeoutMs ?? sqlLimits.timeoutMs.usual };
      const asked = { query, format, integers, ...limits };
      const answer = await index.sql(asked, { signal: whileConnected(reply) }).catch((error: unknown) => {
        throw problemOf(error);
      });
      if (answer.kind === "failed") throw problemOfFailure(answer);
      const { isCut, knownSince } = answer;
      return reply
        .header("content-type", types[format])
        .header("cache-control", "no-store")
        .header("vedette-is-cut", String(isCut))
        .headers(knownSince > 0n ? { "vedette-known-since": String(knownSince) } : {})
        .send(format === "json" ? Buffer.from(jsonOf(answer)) : bytesOf(answer.body));
    },
  });
}

type SqlRows = Extract<SqlAnswer, { readonly kind: "rows" }>;

function jsonOf({ columns, body, isCut, knownSince }: SqlRows): string {
  const since = knownSince > 0n ? `,"knownSince":"${knownSince}"` : "";
  return `{"columns":${JSON.stringify(columns)},"rows":${body},"isCut":${String(isCut)}${since}}`;
}

function bytesOf(body: SqlRows["body"]): Buffer {
  return typeof body === "string" ? Buffer.from(body) : Buffer.from(body.buffer, body.byteOffset, body.length);
}

function problemOfFailure({ code, message }: Extract<SqlAnswer, { readonly kind: "failed" }>): Problem {
  const isLost = code === "noDatabase" || code === "cannotOpen";
  return new Problem(message, isLost ? { status: 503, retryAfterSeconds: 5 } : { field: "body.query" });
}

function problemOf(error: unknown): Problem {
  if (error instanceof IndexBusyError) return new Problem(error.message, { status: 503, retryAfterSeconds: 1 });
  if (error instanceof IndexError) return new Problem(error.message, { field: "body.query" });
  const detail = "The index does not answer now; try again later.";
  return new Problem(detail, { status: 503, retryAfterSeconds: 5, cause: error });
}
