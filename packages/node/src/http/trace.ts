import { fromHexPadded, toHex } from "@vedette/crypto";
import type { FastifyInstance } from "fastify";
import { ApiError } from "../query/ApiError.js";
import type { BlockQueries } from "../query/BlockQueries.js";
import type { ReportQueries } from "../query/ReportQueries.js";
import { sendJson } from "./server.js";

/** `GET /api/trace?blockHash=…&forceReplay=…`: always status 200. @spec 50 §2.2 */
export function registerTrace(server: FastifyInstance, reports: ReportQueries, blocks: BlockQueries): void {
  server.get<{ Querystring: { blockHash?: unknown; forceReplay?: unknown } }>("/api/trace", (request, reply) => {
    const { blockHash, forceReplay = "false" } = request.query;
    const hash = typeof blockHash === "string" ? fromHexPadded(blockHash) : undefined;
    if (hash === undefined || (forceReplay !== "true" && forceReplay !== "false")) return reply.callNotFound();
    try {
      const { block, postStateHash } = reports.report(hash);
      const facts = `"deploys":[],"system-deploys":[],"post-state-hash":"${toHex(postStateHash)}"`;
      return sendJson(
        reply,
        `{"report":{"block-info":${blocks.lightText(block)},${facts}},"type":"block-traces-report"}`,
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return sendJson(reply, `{"error-message":${JSON.stringify(error.message)},"type":"block-report-error"}`);
    }
  });
}
