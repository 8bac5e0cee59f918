import { traceRoute } from "@vedette/api";
import type { FeedMethods, IndexQueries } from "@vedette/indexer";
import type { ApiQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { registerApiV1, registerApiV1Propose } from "./apiV1.js";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { registerFeed } from "./feed.js";
import { registerPropose } from "./propose.js";
import { refusePages } from "./refusePages.js";
import { registerSql } from "./sql.js";
import { tellHead } from "./tellHead.js";
import { registerTrace } from "./trace.js";

/** The operator's HTTP server, not yet listening. @spec 50 §2 */
export function createAdminServer(
  queries: ApiQueries,
  options: ServerOptions = {},
  index: { readonly queries?: IndexQueries | undefined; readonly feed?: FeedMethods | undefined } = {},
): FastifyInstance {
  const server = bareServer(options);
  server.addHook("onRequest", refusePages);
  tellHead(server, queries.head);
  registerPropose(server, queries.proposals);
  registerTrace(server, traceRoute, queries.reports, queries.blocks);
  registerApiV1(server, queries, true);
  registerApiV1Propose(server, queries);
  if (index.queries !== undefined) registerSql(server, index.queries);
  if (index.feed !== undefined) registerFeed(server, index.feed);
  return server;
}
