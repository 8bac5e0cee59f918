import { type Config, TrustedProxies } from "@vedette/config";
import { type Log, linesOf } from "@vedette/config/log";
import { errorText } from "@vedette/errors";
import type { BeginRead } from "@vedette/executor/threads";
import { isExplorerPage, siteFolder } from "@vedette/explorer";
import type { FeedMethods, IndexQueries } from "@vedette/indexer";
import type { ApiQueries } from "@vedette/queries";
import type { ServedEvents } from "@vedette/queries/events";
import {
  createAdminServer,
  createHttpServer,
  externalGrpcServer,
  type GrpcServersOptions,
  grpcLimitsOf,
  httpLimitsOf,
  internalGrpcServer,
  openKeys,
  readSite,
  SharedBudget,
  type SharedBudgetEvent,
  type SharedCounter,
  type Site,
  UnsentAnswers,
  Workbench,
} from "@vedette/server";
import type { FastifyInstance } from "fastify";
import type { Meters } from "../observe/meters.js";
import { watchConnections, watchRequests } from "../observe/watchNode.js";
import { readAccountLabels } from "./accountLabels.js";

const { error, info, warn } = linesOf("api");

/** The sources from which the APIs are served. */
export interface ApiSources {
  readonly config: Config;
  readonly queries: ApiQueries;
  readonly meters: Meters;
  readonly events?: ServedEvents;
  readonly index?: IndexQueries | undefined;
  /** Answers the requests of index processes. */
  readonly feed?: FeedMethods | undefined;
  /** Where all members of a fleet count requests together; left out: this node counts alone. */
  readonly sharedCounter?: SharedCounter | undefined;
  readonly log: Log;
  /** Begins each HTTP request, in its turn on the main thread, once all held data is on disk. */
  readonly beginHttp: BeginRead;
  /** Begins each gRPC call once all held data is on disk. */
  readonly beginGrpc: BeginRead;
  /** Takes the operator's server instead of its port. */
  readonly serveAdmin?: ((server: FastifyInstance) => Promise<void>) | undefined;
}

/**
 * Opens all API servers; they are closed with what is returned.
 *
 * The internal gRPC API makes blocks where the node may: it listens at the configured address, as in the reference.
 *
 * @spec 50 §1, §3.1, §6.1 (steps 12, 14)
 */
export async function startApiServers({
  config,
  queries,
  meters,
  log,
  events,
  index,
  feed,
  sharedCounter,
  beginHttp,
  beginGrpc,
  serveAdmin,
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
  const site = siteOf(config, serveAdmin !== undefined);
  const isReporting = config["api-server.enable-reporting"];
  const reads = { queries, metrics: () => meters.text(), events, index, site, isReporting };
  const proxies = new TrustedProxies(config["api-server.proxies.trusted"], config["api-server.proxies.header"]);
  const budget = sharedCounter && sharedBudgetOf(sharedCounter, log);
  const keys = keysOf(config, budget, meters, log);
  if (keys !== undefined) opened.add({ [Symbol.asyncDispose]: async () => keys[Symbol.dispose]() });
  const unsent = new UnsentAnswers();
  const http = { log, proxies, begin: beginHttp, unsent, limits: httpLimitsOf(config) };
  const hosts = config["api-server.hosts"];
  const publicServer = createHttpServer(reads, { ...http, hosts, keys: keys?.keys, budget });
  await listen(publicServer, "public", {
    host,
    port: config["api-server.port-http"],
  });
  const admin = { host: config["api-server.host-admin-http"], port: config["api-server.port-admin-http"] };
  const adminHttp = { ...http, hosts: [admin.host, ...config["api-server.admin-hosts"]] };
  const adminServer = createAdminServer(queries, adminHttp, { queries: index, feed });
  if (serveAdmin === undefined) await listen(adminServer, "admin", admin);
  else {
    opened.add({ [Symbol.asyncDispose]: async () => adminServer.close() });
    watchRequests(meters, adminServer, "admin");
    await serveAdmin(adminServer);
  }
  const grpc: GrpcServersOptions = {
    queries,
    hosts,
    limits: grpcLimitsOf(config),
    proxies,
    keys: keys?.keys,
    onFailure: (service, failure) => log(error(`${service} service method error. ${errorText(failure)}`)),
    nowMs: () => performance.now(),
    unsent,
    begin: beginGrpc,
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

function sharedBudgetOf(counter: SharedCounter, log: Log): SharedBudget {
  const emit = (event: SharedBudgetEvent) =>
    log(
      event.type === "back"
        ? info("Requests are counted with the other members of the fleet again.")
        : warn(
            `Requests cannot be counted with the other members of the fleet (${errorText(event.error)}): until that works again, the limits of addresses and keys are this member's own.`,
          ),
    );
  return new SharedBudget({ counter, emit });
}

/** @throws {ApiKeyFileError} `unreadable`, `wrong` */
function keysOf(
  config: Config,
  budget: SharedBudget | undefined,
  meters: Meters,
  log: Log,
): ReturnType<typeof openKeys> | undefined {
  const { "api-server.keys.file": path, "api-server.keys.required": isRequired } = config;
  if (path === "") return undefined;
  return openKeys({
    ...{ path, isRequired, budget },
    onUse: (name, isServed) => meters.onKeyUsed(name, isServed),
    onRead: (count) => log(info(`${count} API ${count === 1 ? "key holds" : "keys hold"}, of ${path}`)),
    onFailure: (reason) => log(error(`${reason}. The keys of before go on holding.`)),
  });
}

/** @param isDevelopment whether there are routes for development */
function siteOf(config: Config, isDevelopment: boolean): Site | undefined {
  if (!config["api-server.enable-explorer"]) return undefined;
  const read = readSite(siteFolder, isExplorerPage);
  if (read === undefined) return undefined;
  const { "api-server.host-admin-http": host, "api-server.port-admin-http": port } = config;
  const labelled = { ...read, labels: readAccountLabels(config) };
  const site = isDevelopment ? { ...labelled, development: `http://${host}:${port}` } : labelled;
  const address = config["api-server.explorer-validator"];
  return address === "" ? site : { ...site, validator: new URL(address).origin };
}

function countCalls(meters: Meters, port: "external" | "internal"): GrpcServersOptions["onCall"] {
  return (path, milliseconds) => meters.onGrpcCall(port, path, milliseconds);
}

/** Closes several resources together. */
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
    // At once: each of them lets end what it is doing.
    await Promise.all(this.#items.splice(0).map((item) => item[Symbol.asyncDispose]()));
  }
}
