import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { ApiError } from "../query/ApiError.js";
import type { ApiQueries } from "../query/apiQueries.js";
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

/** Limits that keep a stranger from filling memory or holding sockets. */
const bodyLimitBytes = 16 << 20;
const connectionTimeoutMs = 120_000;
const requestTimeoutMs = 60_000;
const maxRequestHeadBytes = 40_960;
/** Characters of a path, and so of a part of it. */
const maxRequestLine = 4_096;

/**
 * The public HTTP server, not yet listening. Routes that tell of blocks stand with and without the `/api` prefix.
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

/** A server with the behaviour that both HTTP servers have, without routes. @spec 50 §1.1 to §1.3 */
export function bareServer(): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: maxRequestHeadBytes },
    exposeHeadRoutes: false,
    routerOptions: { maxParamLength: maxRequestLine },
    forceCloseConnections: true,
  });
  // Bodies are text whatever their type says: the reference does not look at it either.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  server.addHook("onRequest", answerPreflight);
  server.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain; charset=UTF-8").send("Not found"));
  server.setErrorHandler(answerError);
  return server;
}

/** Sends a JSON text that was printed already. The reference names no charset, which is only told of strings. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.header("content-type", "application/json").send(Buffer.from(text));
}

/** Aborts when the client goes away: nobody waits for the answer then. */
export function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}

/** The origin is echoed. @spec 50 §1.2 */
async function answerPreflight(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> {
  const { origin } = request.headers;
  if (origin === undefined) return undefined;
  const asked = request.headers["access-control-request-method"];
  reply.headers({
    Vary: "Origin,Access-Control-Request-Method",
    "Access-Control-Allow-Credentials": "false",
    "Access-Control-Allow-Methods": asked ?? request.method,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Max-Age": "86400",
  });
  if (request.method !== "OPTIONS" || asked === undefined) {
    reply.header("Access-Control-Expose-Headers", "*");
    return undefined;
  }
  return reply.header("Access-Control-Allow-Headers", "Content-Type, Authorization, *").code(200).send("");
}

/** Every failure is status 400 with the message as a JSON string. @spec 50 §1.3 */
function answerError(error: unknown, _request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return sendJson(reply.code(400), JSON.stringify(error.message));
  const { statusCode = 400, message } = error as { statusCode?: number; message: string };
  return sendJson(reply.code(statusCode === 500 ? 400 : statusCode), JSON.stringify(message));
}
