import { liveRoute, printJson, readyRoute, syncStatusBody } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { StatusReads } from "../query/StatusReads.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** `GET /health/live`, `GET /health/ready`. @spec 50 §6.7 */
export function registerHealth(server: FastifyInstance, status: StatusReads): void {
  serve(server, liveRoute, () => ({ status: "live" }));
  serve(server, readyRoute, () => {
    const { syncStatus } = status.now();
    const isReady = syncStatus.phase === "following";
    const text = printJson({ status: isReady ? "ready" : "notReady", syncStatus: syncStatusBody(syncStatus) });
    return new JsonText(text, { status: isReady ? 200 : 503 });
  });
}
