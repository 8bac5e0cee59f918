import { statSync } from "node:fs";
import { join } from "node:path";
import { conditionCodes, type SyncStatusView } from "@vedette/api";
import { memoryOfThreads, privateMemory } from "@vedette/executor/threads";
import type { FastifyInstance } from "fastify";
import type { Meters } from "./meters.js";

/** Parts of a node that are read at each request for the metrics. */
export interface WatchedNode {
  readonly version: string;
  /** Folders of the stores, by their names. */
  readonly stores: Readonly<Record<string, string>>;
  /** Calls that the executor works on, or that wait for it. */
  readonly executorCalls: () => number;
  readonly readers: { readonly waiting: number; readonly busy: number };
  /** Absent on an observer. */
  readonly pooledDeploys: (() => number) | undefined;
  /** Clients subscribed to live events. */
  readonly eventReaders: () => number;
  /** Connections that peers have opened. */
  readonly peerConnections: () => ConnectionCounts;
  readonly blocks: () => { readonly waiting: number; readonly ready: number; readonly unjudged: number };
  readonly status: () => Pick<
    SyncStatusView,
    "phase" | "blockNumber" | "bestPeerBlockNumber" | "finalizedBlockNumber" | "conditions"
  >;
}

/** Adds the numbers that are not counted from events. @spec 50 §6.6 */
export function watchNode(meters: Meters, node: WatchedNode): void {
  meters.watchEach("vedette_info", "Always 1; the version is its label.", "version", () => ({ [node.version]: 1 }));
  meters.watchEach("vedette_phase", "1 for what the node does now, as in syncStatus.", "phase", () => ({
    [node.status().phase]: 1,
  }));
  meters.watchEach(
    "vedette_condition",
    "1 for each condition that holds (docs/reference/conditions.md), else 0.",
    "condition",
    () => {
      const held = new Set(node.status().conditions?.map(({ code }) => code));
      return Object.fromEntries(conditionCodes.map((code) => [code, held.has(code) ? 1 : 0]));
    },
  );
  meters.watch(
    "vedette_private_memory_bytes",
    "Private memory of the process; process_resident_memory_bytes also counts reclaimable pages of the database files.",
    () => {
      return privateMemory("self") ?? process.memoryUsage().rss;
    },
  );
  meters.watchTable(
    "vedette_thread_memory_bytes",
    "Private memory of the executor and reader threads after their last call: heap with external memory, and used stack.",
    ["thread", "part"],
    memoryOfThreads,
  );
  watchHeights(meters, node);
  meters.watch("vedette_executor_calls", "Calls running on the executor or waiting for it.", node.executorCalls);
  meters.watchEach("vedette_reader_calls", "State queries, running on a reader or waiting.", "state", () => ({
    waiting: node.readers.waiting,
    running: node.readers.busy,
  }));
  meters.watchEach(
    "vedette_blocks_pending",
    "Blocks that wait for dependencies (waiting), for validation (ready), or for another attempt (unjudged).",
    "state",
    () => ({
      ...node.blocks(),
    }),
  );
  meters.watch("vedette_event_subscribers", "Clients subscribed to live events.", node.eventReaders);
  const labels = ["port", "state"] as const;
  meters.watchTable(
    "vedette_peer_connections",
    "Connections opened by peers: handshake (unfinished), idle, busy, terminating.",
    labels,
    node.peerConnections,
  );
  const { pooledDeploys } = node;
  if (pooledDeploys !== undefined)
    meters.watch(
      "vedette_pool_deploys",
      "Deploys that wait for a block or its finality (validators only).",
      pooledDeploys,
    );
  meters.watchEach("vedette_store_bytes", "Size of a store on disk.", "store", () =>
    Object.fromEntries(Object.entries(node.stores).map(([name, folder]) => [name, sizeOf(join(folder, "data.mdb"))])),
  );
}

function watchHeights(meters: Meters, { status }: WatchedNode): void {
  const height = (number: bigint | undefined) => Number(number ?? 0n);
  meters.watch("vedette_block_number", "Greatest height of a valid block.", () => height(status().blockNumber));
  meters.watch("vedette_finalized_block_number", "Height of the last finalized block.", () =>
    height(status().finalizedBlockNumber),
  );
  meters.watch(
    "vedette_best_peer_block_number",
    "Greatest height with signed blocks of more than half of the stake.",
    () => height(status().bestPeerBlockNumber),
  );
}

/** Connections by what they do, of each port. */
export type ConnectionCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Counts of connections, read at each request for the metrics. */
export interface WatchedConnections {
  readonly grpc: () => ConnectionCounts;
  readonly http: () => ConnectionCounts;
}

/** Adds the connections of the API's ports. @spec 50 §6.6 */
export function watchConnections(meters: Meters, { grpc, http }: WatchedConnections): void {
  const labels = ["port", "state"] as const;
  meters.watchTable(
    "vedette_grpc_connections",
    "Connections of gRPC clients and browsers: idle, busy (with a call), terminating (closing the socket).",
    labels,
    grpc,
  );
  meters.watchTable(
    "vedette_http_connections",
    "Connections of HTTP clients, as vedette_grpc_connections; event connections are busy.",
    labels,
    http,
  );
}

/** Counts and times the answers of an HTTP server that does not listen yet. */
export function watchRequests(meters: Meters, server: FastifyInstance, name: "public" | "admin"): void {
  server.addHook("onResponse", (request, reply, done) => {
    meters.onRequest({
      server: name,
      route: request.is404 ? "none" : (request.routeOptions.url ?? "none"),
      method: request.method,
      status: reply.statusCode,
      seconds: reply.elapsedTime / 1000,
    });
    done();
  });
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch {
    return 0;
  }
}
