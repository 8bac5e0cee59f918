import type { traceRoute } from "@vedette/api";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type BlockQueries, Overload, type ReportQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /api/trace?blockHash=…&forceReplay=…`: status 200, but where the node has no time for it. @spec 50 §2.2 */
export function registerTrace(
  server: FastifyInstance,
  route: typeof traceRoute,
  reports: ReportQueries,
  blocks: BlockQueries,
): void {
  serve(server, route, async ({ query }, { request }) => {
    const hash = fromHexPadded(query.blockHash);
    if (hash === undefined) return undefined;
    try {
      const { block, members } = await reports.text(hash, query.forceReplay ?? false, request.ip);
      const report = `{"block-info":${blocks.lightText(block)},${members}}`;
      return new JsonText(`{"report":${report},"type":"block-traces-report"}`);
    } catch (error) {
      if (!(error instanceof ApiError) || error instanceof Overload) throw error;
      return { "error-message": error.message, type: "block-report-error" } as const;
    }
  });
}
