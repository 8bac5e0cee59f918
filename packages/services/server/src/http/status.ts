import { apiStatusBody, apiStatusRoute, printJson, statusBody, statusRoute, versionRoute } from "@vedette/api";
import type { StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /status`, `GET /api/status`, `GET /version`. @spec 50 §1.4, §1.9 */
export function registerStatus(server: FastifyInstance, reads: StatusReads): void {
  serve(
    server,
    statusRoute,
    keptFor(() => printJson(statusBody(reads.now()))),
  );
  serve(
    server,
    apiStatusRoute,
    keptFor(() => apiStatusText(reads)),
  );
  serve(server, versionRoute, () => reads.version);
}

/** How long a status is returned again: it may list many peers. */
const keptMs = 25;

/** Returns the previous status again for a moment. */
export function keptFor(print: () => string): () => JsonText {
  let kept: JsonText | undefined;
  let printedMs = Number.NEGATIVE_INFINITY;
  return () => {
    const nowMs = performance.now();
    if (kept === undefined || nowMs - printedMs > keptMs) {
      kept = new JsonText(print());
      printedMs = nowMs;
    }
    return kept;
  };
}

/** The body of `/api/status`. @spec 50 §1.7 */
export function apiStatusText(reads: StatusReads): string {
  return printJson(apiStatusBody(reads.now(), reads.network));
}
