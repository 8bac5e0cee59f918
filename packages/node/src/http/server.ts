import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { ApiError } from "../query/ApiError.js";
import type { BlockQueries } from "../query/BlockQueries.js";
import type { ExploreQueries } from "../query/ExploreQueries.js";
import { registerBlock } from "./block.js";
import { registerBlocks } from "./blocks.js";
import { registerExploreDeploy } from "./exploreDeploy.js";
import { registerLastFinalizedBlock } from "./lastFinalizedBlock.js";
import { registerMetrics } from "./metrics.js";
import { registerStatus, type StatusReads } from "./status.js";

/** What the public HTTP routes answer from. */
export interface HttpReads {
  readonly status: StatusReads;
  readonly blocks: BlockQueries;
  readonly explore: ExploreQueries;
  readonly metrics: () => Promise<string>;
}

/** Limits that keep a stranger from filling memory or holding sockets. */
const bodyLimitBytes = 16 << 20;
const connectionTimeoutMs = 120_000;
const requestTimeoutMs = 60_000;
const maxRequestHeadBytes = 40_960;

/**
 * The public HTTP server, not yet listening. Each route stands with and without the `/api` prefix.
 *
 * @spec 50 §1
 */
export function createHttpServer(reads: HttpReads): FastifyInstance {
  const server = Fastify({
    logger: false,
    bodyLimit: bodyLimitBytes,
    connectionTimeout: connectionTimeoutMs,
    requestTimeout: requestTimeoutMs,
    http: { maxHeaderSize: maxRequestHeadBytes },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
  });
  // Bodies are text whatever their type says: the reference does not look at it either.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  server.addHook("onRequest", answerPreflight);
  server.setNotFoundHandler((_request, reply) => reply.code(404).type("text/plain; charset=UTF-8").send("Not found"));
  server.setErrorHandler(answerError);
  registerStatus(server, reads.status);
  registerMetrics(server, reads.metrics);
  registerBlocks(server, reads.blocks);
  registerBlock(server, reads.blocks);
  registerLastFinalizedBlock(server, reads.blocks);
  registerExploreDeploy(server, reads.explore);
  return server;
}

/** Sends a JSON text that was printed already. */
export function sendJson(reply: FastifyReply, text: string): FastifyReply {
  return reply.type("application/json").send(text);
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
