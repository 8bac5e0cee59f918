import { traceRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ApiQueries } from "../query/apiQueries.js";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { registerPropose } from "./propose.js";
import { refusePages } from "./refusePages.js";
import { registerTrace } from "./trace.js";
import { registerVersioned, registerVersionedPropose } from "./versioned.js";

/** The operator's HTTP server, not yet listening. @spec 50 §2 */
export function createAdminServer(queries: ApiQueries, options: ServerOptions = {}): FastifyInstance {
  const server = bareServer(options);
  server.addHook("onRequest", refusePages);
  registerPropose(server, queries.proposals);
  registerTrace(server, traceRoute, queries.reports, queries.blocks);
  registerVersioned(server, queries, true);
  registerVersionedPropose(server, queries);
  return server;
}
