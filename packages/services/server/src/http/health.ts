import {
  areUnready,
  liveRoute,
  type NodeStatusView,
  nearBlocks,
  printJson,
  readyRoute,
  type SyncStatusView,
  syncStatusBody,
} from "@vedette/api";
import type { StatusReads } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { OncePerChange } from "./OncePerChange.js";
import { serve } from "./serve.js";

function isInSync({ phase, blockNumber, bestPeerBlockNumber }: SyncStatusView): boolean {
  if (phase === "following") return true;
  if (phase !== "replaying" || blockNumber === undefined || bestPeerBlockNumber === undefined) return false;
  return bestPeerBlockNumber - blockNumber <= nearBlocks;
}

/** Whether a replica, with a lag known by time, is this near its publisher; a node must follow. */
function isWithin({ phase, replica, blockNumber }: SyncStatusView, maxLagSeconds: number): boolean {
  if (replica === undefined) return phase === "following";
  return blockNumber !== undefined && replica.stopReason === undefined && replica.lagMs <= maxLagSeconds * 1_000;
}

/** `GET /health/live`, `GET /health/ready`. @spec 50 §6.7 */
export function registerHealth(server: FastifyInstance, status: StatusReads): void {
  serve(server, liveRoute, () => ({ status: "live" }) as const);
  const usual = new OncePerChange(status.changes, () => readiness(status.now(), isInSync));
  serve(server, readyRoute, ({ query: { maxLag } }) => {
    if (maxLag === undefined) return usual.now();
    const { text, ...options } = readiness(status.now(), (sync) => isWithin(sync, maxLag));
    return new JsonText(text, options);
  });
}

function readiness({ syncStatus, isDraining = false }: NodeStatusView, isNear: (sync: SyncStatusView) => boolean) {
  const isReady = isNear(syncStatus) && !isDraining && !areUnready(syncStatus.conditions ?? []);
  const said = isDraining ? "draining" : "notReady";
  const text = printJson({ status: isReady ? "ready" : said, syncStatus: syncStatusBody(syncStatus) });
  return { text, status: isReady ? 200 : 503 };
}
