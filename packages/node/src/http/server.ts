import { publicTraceRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ServedEvents } from "../events/NodeEvents.js";
import type { ApiQueries } from "../query/apiQueries.js";
import { BlockAnswers } from "../query/BlockAnswers.js";
import { bareServer, type ServerOptions } from "./bareServer.js";
import { registerBlock } from "./block.js";
import { registerBlocks } from "./blocks.js";
import { registerDataAtName } from "./dataAtName.js";
import { registerDeploy } from "./deploy.js";
import { registerDeployFinalization } from "./deployFinalization.js";
import { registerDocuments } from "./documents.js";
import { registerEstimateCost } from "./estimateCost.js";
import { registerEvents } from "./eventRoutes.js";
import { registerExploreDeploy } from "./exploreDeploy.js";
import { registerHealth } from "./health.js";
import { registerLastFinalizedBlock } from "./lastFinalizedBlock.js";
import { registerMetrics } from "./metrics.js";
import { registerPrepareDeploy } from "./prepareDeploy.js";
import { registerStatus } from "./status.js";
import { registerTrace } from "./trace.js";
import { registerTransactions } from "./transactions.js";
import { registerBalances } from "./v2/balances.js";
import { registerDeploys } from "./v2/deploys.js";
import { registerExplorations } from "./v2/explore.js";
import { registerStates } from "./v2/state.js";
import { registerTransfers } from "./v2/transfers.js";
import { registerVersioned } from "./versioned.js";

/** What the public HTTP routes answer from. */
export interface HttpReads {
  readonly queries: ApiQueries;
  readonly metrics: () => Promise<string>;
  /** Whether reports of blocks are public (`api-server.enable-reporting`). @spec 50 §2.2 */
  readonly isReporting?: boolean;
  readonly events?: ServedEvents | undefined;
}

/**
 * The public HTTP server, not yet listening. Routes of the reference stand with and without the `/api` prefix.
 *
 * @spec 50 §1
 */
export function createHttpServer(reads: HttpReads, options: ServerOptions = {}): FastifyInstance {
  const { queries, metrics, isReporting = false, events } = reads;
  const server = bareServer(options);
  registerStatus(server, queries.status);
  registerHealth(server, queries.status);
  registerMetrics(server, metrics);
  const answers = new BlockAnswers(queries.blocks);
  registerBlocks(server, queries.blocks, answers);
  registerBlock(server, queries.blocks, answers);
  registerLastFinalizedBlock(server, answers);
  registerExploreDeploy(server, queries.explore);
  registerDeploy(server, queries.deploys, queries.blocks);
  registerPrepareDeploy(server, queries.validators);
  registerDataAtName(server, queries.names, queries.blocks);
  registerTransactions(server, queries.reports);
  if (isReporting) registerTrace(server, publicTraceRoute, queries.reports, queries.blocks);
  registerEstimateCost(server, queries.explorations);
  registerDeployFinalization(server, queries.history);
  registerVersioned(server, queries);
  registerStates(server, queries.states);
  registerExplorations(server, queries.explorations);
  registerDeploys(server, queries.history);
  registerTransfers(server, queries.history);
  registerBalances(server, queries.balances);
  if (events !== undefined) registerEvents(server, events);
  registerDocuments(server);
  return server;
}
