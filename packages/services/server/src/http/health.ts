import {
  areUnready,
  liveRoute,
  nearBlocks,
  printJson,
  readyRoute,
  type SyncStatusView,
  syncStatusBody,
} from "@vedette/api";
import type { StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

function isInSync({ phase, blockNumber, bestPeerBlockNumber }: SyncStatusView): boolean {
  if (phase === "following") return true;
  if (phase !== "replaying" || blockNumber === undefined || bestPeerBlockNumber === undefined) return false;
  return bestPeerBlockNumber - blockNumber <= nearBlocks;
}

/** Whether a replica, whose lag is known by time, is so near its publisher; a node must follow. */
function isWithin({ phase, replica, blockNumber }: SyncStatusView, maxLagSeconds: number): boolean {
  if (replica === undefined) return phase === "following";
  return blockNumber !== undefined && replica.stopReason === undefined && replica.lagMs <= maxLagSeconds * 1_000;
}

/** `GET /health/live`, `GET /health/ready`. @spec 50 §6.7 */
export function registerHealth(server: FastifyInstance, status: StatusReads): void {
  serve(server, liveRoute, () => ({ status: "live" }) as const);
  serve(server, readyRoute, ({ query: { maxLag } }) => {
    const { syncStatus, isDraining = false } = status.now();
    const isNear = maxLag === undefined ? isInSync(syncStatus) : isWithin(syncStatus, maxLag);
    const isReady = isNear && !isDraining && !areUnready(syncStatus.conditions ?? []);
    const said = isDraining ? "draining" : "notReady";
    const text = printJson({ status: isReady ? "ready" : said, syncStatus: syncStatusBody(syncStatus) });
    return new JsonText(text, { status: isReady ? 200 : 503 });
  });
}
