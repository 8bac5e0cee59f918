import type { FastifyInstance } from "fastify";
import { TrustedProxies } from "../address/TrustedProxies.js";
import type { Config } from "../config/keys.js";
import type { ServedEvents } from "../events/NodeEvents.js";
import { externalGrpcServer, type GrpcServersOptions, internalGrpcServer } from "../grpc/grpcServers.js";
import { grpcLimitsOf } from "../grpc/limits.js";
import { Workbench } from "../grpc/workbench/Workbench.js";
import { createAdminServer } from "../http/adminServer.js";
import { httpLimitsOf } from "../http/HttpLimits.js";
import { createHttpServer } from "../http/server.js";
import { linesOf } from "../observe/Line.js";
import type { Log } from "../observe/logger.js";
import type { Meters } from "../observe/meters.js";
import { watchConnections, watchRequests } from "../observe/watchNode.js";
import type { ApiQueries } from "../query/apiQueries.js";
import type { TakeTurn } from "../thread/ReadTurns.js";

const { error, info } = linesOf("api");

/** What the APIs are served from. */
export interface ApiSources {
  readonly config: Config;
  readonly queries: ApiQueries;
  readonly meters: Meters;
  readonly events?: ServedEvents;
  readonly log: Log;
  /** Of reads on the main thread. */
  readonly takeTurn: TakeTurn;
}

/**
 * Opens all API servers; they are closed with what is returned.
 *
 * The internal gRPC API makes blocks where the node may: it listens where the configuration says, as in the
 * reference.
 *
 * @spec 50 §1, §3.1, §6.1 (steps 12, 14)
 */
export async function startApiServers({
  config,
  queries,
  meters,
  log,
  events,
  takeTurn,
}: ApiSources): Promise<AsyncDisposable> {
  const host = config["api-server.host"];
  await using opened = new AsyncDisposableList();
  const listen = async (
    server: FastifyInstance,
    name: "public" | "admin",
    at: { readonly host: string; readonly port: number },
  ) => {
    opened.add({ [Symbol.asyncDispose]: async () => server.close() });
    watchRequests(meters, server, name);
    await server.listen(at);
    log(info(`${name === "public" ? "HTTP API" : "Admin HTTP API"} server started at ${at.host}:${at.port}`));
  };
  const reads = { queries, metrics: () => meters.text(), events, isReporting: config["api-server.enable-reporting"] };
  const proxies = new TrustedProxies(config["api-server.proxies.trusted"], config["api-server.proxies.header"]);
  const http = { log, proxies, takeTurn, limits: httpLimitsOf(config) };
  const publicServer = createHttpServer(reads, http);
  await listen(publicServer, "public", {
    host,
    port: config["api-server.port-http"],
  });
  const admin = { host: config["api-server.host-admin-http"], port: config["api-server.port-admin-http"] };
  const adminServer = createAdminServer(queries, http);
  await listen(adminServer, "admin", admin);
  const grpc: GrpcServersOptions = {
    queries,
    limits: grpcLimitsOf(config),
    proxies,
    onFailure: (service, failure) => log(error(`${service} service method error. ${textOf(failure)}`)),
    nowMs: () => performance.now(),
    workbench: opened.add(new Workbench()),
  };
  const external = opened.add(externalGrpcServer({ ...grpc, onCall: countCalls(meters, "external") }));
  await external.listen(config["api-server.port-grpc-external"], host);
  log(info(`External API server started at ${host}:${config["api-server.port-grpc-external"]}`));
  const internal = opened.add(internalGrpcServer({ ...grpc, onCall: countCalls(meters, "internal") }));
  await internal.listen(config["api-server.port-grpc-internal"], host);
  log(info(`Internal API server started at ${host}:${config["api-server.port-grpc-internal"]}`));
  watchConnections(meters, {
    grpc: () => ({ external: external.connections, internal: internal.connections }),
    http: () => ({ public: publicServer.connectionCounts(), admin: adminServer.connectionCounts() }),
  });
  return opened.move();
}

function countCalls(meters: Meters, port: "external" | "internal"): GrpcServersOptions["onCall"] {
  return (path, milliseconds) => meters.onGrpcCall(port, path, milliseconds);
}

/** What is to be closed together; the last one first. */
class AsyncDisposableList implements AsyncDisposable {
  #items: AsyncDisposable[] = [];

  add<T extends AsyncDisposable>(item: T): T {
    this.#items.push(item);
    return item;
  }

  /** Hands everything on to another owner. */
  move(): AsyncDisposable {
    const moved = new AsyncDisposableList();
    moved.#items = this.#items;
    this.#items = [];
    return moved;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (let item = this.#items.pop(); item !== undefined; item = this.#items.pop()) await item[Symbol.asyncDispose]();
  }
}

function textOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}
