import type { FeedMethods, IndexQueries } from "@vedette/indexer";
import type { ApiQueries } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { addChainHeadHeaders } from "./addChainHeadHeaders.js";
import { apiDialectOf } from "./apiDialectOf.js";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { registerFeed } from "./feed.js";
import { registerSql } from "./sql.js";

/** The operator's HTTP server, not yet listening. @spec 50 §2 */
export function createAdminServer(
  queries: ApiQueries,
  options: ServerOptions = {},
  index: { readonly queries?: IndexQueries | undefined; readonly feed?: FeedMethods | undefined } = {},
): FastifyInstance {
  const api = apiDialectOf(queries);
  const server = bareServer("operator", api.conventions, options);
  addChainHeadHeaders(server, queries.head);
  api.registerOperator(server, queries);
  if (index.queries !== undefined) registerSql(server, index.queries);
  if (index.feed !== undefined) registerFeed(server, index.feed);
  return server;
}
