import type { IndexQueries } from "@vedette/indexer";
import type { FastifyInstance } from "fastify";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { graphqlSockets } from "./graphqlRoutes.js";
import { registerSockets } from "./sockets.js";
import { registerSql } from "./sql.js";

/** The server of an index that no node keeps, not yet listening: GraphQL and SQL, for the machine itself. @spec 60 §8 */
export function createIndexServer(queries: IndexQueries, options: ServerOptions = {}): FastifyInstance {
  const server = bareServer("operator", rnodeHttpConventions, options);
  registerSockets(server, [graphqlSockets(server, queries, undefined)]);
  registerSql(server, queries);
  return server;
}
