import { metricsRoute } from "@vedette/api";
import type { IndexQueries } from "@vedette/indexer";
import type { ApiQueries } from "@vedette/queries";
import type { ServedEvents } from "@vedette/queries/events";
import type { FastifyInstance } from "fastify";
import { addChainHeadHeaders } from "./addChainHeadHeaders.js";
import { apiDialectOf } from "./apiDialectOf.js";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { registerDeployFinalization } from "./deployFinalization.js";
import { registerDocuments } from "./documents.js";
import { registerEstimateCost } from "./estimateCost.js";
import { eventSockets } from "./eventRoutes.js";
import { serveGraphqlAbsence } from "./graphqlPage.js";
import { graphqlSockets } from "./graphqlRoutes.js";
import { registerGuide } from "./guide.js";
import { registerHealth } from "./health.js";
import type { Site } from "./Site.js";
import { serve } from "./serve.js";
import { serveSite } from "./serveSite.js";
import { registerSockets, type SocketRoutes } from "./sockets.js";
import { registerPeers } from "./status.js";
import { registerBalances } from "./v2/balances.js";
import { registerBlockStatuses } from "./v2/blockStatuses.js";
import { registerContractSource } from "./v2/contractSource.js";
import { registerDeploys } from "./v2/deploys.js";
import { registerExplorations } from "./v2/explore.js";
import { registerLight } from "./v2/light.js";
import { registerStates } from "./v2/state.js";
import { registerTraceDeploy } from "./v2/traceDeploy.js";
import { registerTransfers } from "./v2/transfers.js";

/** The sources of the public HTTP routes. */
export interface HttpReads {
  readonly queries: ApiQueries;
  readonly metrics: () => Promise<string>;
  /** Whether reports of blocks are public (`api-server.enable-reporting`). @spec 50 §2.2 */
  readonly isReporting?: boolean;
  readonly events?: ServedEvents | undefined;
  /** The explorer (`api-server.enable-explorer`). */
  readonly site?: Site | undefined;
  /** The chain in tables, where the node keeps it so. */
  readonly index?: IndexQueries | undefined;
}

/**
 * The public HTTP server, not yet listening. Routes of other makes exist with and without the `/api` prefix.
 *
 * @spec 50 §1
 */
export function createHttpServer(reads: HttpReads, options: ServerOptions = {}): FastifyInstance {
  const { queries, metrics, isReporting = false, events, index, site } = reads;
  const api = apiDialectOf(queries);
  const server = bareServer("public", api.conventions, options);
  addChainHeadHeaders(server, queries.head);
  registerHealth(server, queries.status);
  registerMetrics(server, metrics);
  registerPeers(server, queries.status);
  api.registerPublic(server, queries, isReporting);
  registerEstimateCost(server, queries.explorations);
  registerDeployFinalization(server, queries.accounts);
  registerStates(server, queries.states);
  registerExplorations(server, queries.explorations);
  registerBlockStatuses(server, queries.accounts);
  registerDeploys(server, queries);
  registerTraceDeploy(server, queries);
  registerTransfers(server, queries.accounts);
  registerBalances(server, queries.balances);
  registerContractSource(server, queries.contractSources);
  registerLight(server, queries.light);
  const sockets: SocketRoutes[] = [];
  if (events !== undefined) sockets.push(eventSockets(server, events));
  if (index === undefined) serveGraphqlAbsence(server);
  else sockets.push(graphqlSockets(server, index, events));
  registerSockets(server, sockets);
  registerGuide(server);
  if (site !== undefined) serveSite(server, site, queries.explorations.isAllowed);
  registerDocuments(server, api.documentRoute);
  return server;
}

/** `GET /metrics` in Prometheus' text form. @spec 50 §6.6 */
function registerMetrics(server: FastifyInstance, metrics: () => Promise<string>): void {
  serve(server, metricsRoute, metrics);
}
