import type { FastifyInstance } from "fastify";
import type { ApiQueries } from "../query/apiQueries.js";
import { bareServer } from "./bareServer.js";
import { registerBlock } from "./block.js";
import { registerBlocks } from "./blocks.js";
import { registerDataAtName } from "./dataAtName.js";
import { registerDeploy } from "./deploy.js";
import { registerExploreDeploy } from "./exploreDeploy.js";
import { registerLastFinalizedBlock } from "./lastFinalizedBlock.js";
import { registerMetrics } from "./metrics.js";
import { registerPrepareDeploy } from "./prepareDeploy.js";
import { registerStatus } from "./status.js";
import { registerTransactions } from "./transactions.js";
import { registerVersioned } from "./versioned.js";

/** What the public HTTP routes answer from. */
export interface HttpReads {
  readonly queries: ApiQueries;
  readonly metrics: () => Promise<string>;
  /** Adds the routes that others serve on this server: live events. */
  readonly register?: ((server: FastifyInstance) => void) | undefined;
}

/**
 * The public HTTP server, not yet listening. Routes of the reference stand with and without the `/api` prefix.
 *
 * @spec 50 §1
 */
export function createHttpServer({ queries, metrics, register }: HttpReads): FastifyInstance {
  const server = bareServer();
  registerStatus(server, queries.status);
  registerMetrics(server, metrics);
  registerBlocks(server, queries.blocks);
  registerBlock(server, queries.blocks);
  registerLastFinalizedBlock(server, queries.blocks);
  registerExploreDeploy(server, queries.explore);
  registerDeploy(server, queries.deploys, queries.blocks);
  registerPrepareDeploy(server, queries.validators);
  registerDataAtName(server, queries.names, queries.blocks);
  registerTransactions(server);
  registerVersioned(server, queries);
  register?.(server);
  return server;
}
