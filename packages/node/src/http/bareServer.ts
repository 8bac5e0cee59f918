import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { answerError, answerNotFound } from "./refuse.js";

/** Limits that keep a stranger from filling memory or holding sockets. */
const bodyLimitBytes = 16 << 20;
const connectionTimeoutMs = 120_000;
const requestTimeoutMs = 60_000;
const maxRequestHeadBytes = 40_960;
/** Characters of a path, and so of a part of it. */
const maxRequestLine = 4_096;

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
  server.decorate("contracts", []);
  // Bodies are text whatever their type says: the reference does not look at it either.
  server.removeAllContentTypeParsers();
  server.addContentTypeParser("*", { parseAs: "string" }, (_request, body, done) => done(null, body));
  server.addHook("onRequest", answerPreflight);
  server.setNotFoundHandler(answerNotFound);
  server.setErrorHandler(answerError);
  return server;
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
