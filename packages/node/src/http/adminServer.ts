import { traceRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ApiQueries } from "../query/apiQueries.js";
import { bareServer } from "./bareServer.js";
import { registerPropose } from "./propose.js";
import { registerTrace } from "./trace.js";
import { registerVersioned, registerVersionedPropose } from "./versioned.js";

/** The operator's HTTP server, not yet listening. @spec 50 §2 */
export function createAdminServer(queries: ApiQueries): FastifyInstance {
  const server = bareServer();
  registerPropose(server, queries.proposals);
  registerTrace(server, traceRoute, queries.reports, queries.blocks);
  registerVersioned(server, queries);
  registerVersionedPropose(server, queries);
  return server;
}
