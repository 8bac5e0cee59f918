import type { IncomingHttpHeaders } from "node:http";
import { TrustedProxies } from "@vedette/config";
import { type Log, linesOf } from "@vedette/config/log";
import type { BeginRead } from "@vedette/executor/threads";
import type { ConnectionState } from "@vedette/network";
import { ApiError, Problem } from "@vedette/queries";
import { countedFor } from "@vedette/queries/events";
import Fastify, { type FastifyInstance, type FastifyRequest, type onRequestHookHandler } from "fastify";
import { type ApiKeys, type GivenKey, keyHeaders } from "../keys/ApiKeys.js";
import { readBodiesAsText } from "./bodyText.js";
import { ConnectionGuard } from "./ConnectionGuard.js";
import { compressAnswers } from "./compress.js";
import type { HttpConventions } from "./conventions/HttpConventions.js";
import { endAnswers } from "./endAnswers.js";
import { type Audience, guardRequests, type OriginAllowlist } from "./guardRequests.js";
import { defaultHttpLimits, type HttpLimits } from "./HttpLimits.js";
import { holdAnswers } from "./holdAnswers.js";
import { RequestBudget, type RequestCounter } from "./RequestBudget.js";
import { readInTurns } from "./readInTurns.js";
import { answerError } from "./refuse.js";
import { UnsentAnswers } from "./UnsentAnswers.js";

declare module "fastify" {
  interface FastifyInstance {
    /** How many connections there are of each state. */
    connectionCounts: () => Readonly<Record<ConnectionState, number>>;
    /** The data that its clients have not read. */
    unsent: UnsentAnswers;
  }
  interface FastifyRequest {
    /** Ends it for the chain, which brings each block to disk by itself until then. */
    endRead: (() => void) | undefined;
  }
}

/** How a server treats untrusted clients. */
export interface ServerOptions {
  readonly limits?: HttpLimits | undefined;
  /** Proxies that are believed about their clients' addresses. */
  readonly proxies?: TrustedProxies | undefined;
  /** Keys that the operator has given out; left out: keys are nothing. */
  readonly keys?: ApiKeys | undefined;
  /** Counts the requests of addresses; default: this server alone. */
  readonly budget?: RequestCounter | undefined;
  readonly log?: Log | undefined;
  /** Names in `Host` that it answers to, beside addresses and those of this machine; none are any on a public server. */
  readonly hosts?: readonly string[] | undefined;
  /** Pages that may send requests to a server of the operator. */
  readonly pages?: readonly OriginAllowlist[] | undefined;
  /** Left out: requests are served at once, whatever else there is to do. */
  readonly begin?: BeginRead | undefined;
  /** Answers that are not delivered yet, of all servers together; left out: of this one. */
  readonly unsent?: UnsentAnswers | undefined;
}

/** Time for answers to end when the server stops, and then for abandoned work. */
const stopGraceMs = 3_000;
/** How often sockets are looked at that are slow with a request, where its time is not shorter. */
const slowCheckMs = 2_000;

/**
 * A server with the behaviour that every HTTP server of the program has, without routes.
 *
 * @param audience its clients; this decides what its guard lets through
 * @spec 50 §1.1 to §1.3, §1.19
 */
export function bareServer(
  audience: Audience,
  conventions: HttpConventions,
  options: ServerOptions = {},
): FastifyInstance {
  const { limits = defaultHttpLimits, proxies = TrustedProxies.none, keys, budget, log, begin } = options;
  const { unsent = new UnsentAnswers() } = options;
  const server = Fastify({
    logger: false,
    // Nothing names requests.
    genReqId: () => "",
    // On a busy machine its parts may take longer than the usual ten seconds, and a node that starts must not end by that.
    pluginTimeout: 0,
    bodyLimit: limits.bodyBytes,
    connectionTimeout: limits.idleTimeoutMs,
    keepAliveTimeout: limits.idleTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    http: {
      maxHeaderSize: limits.headBytes,
      headersTimeout: limits.headTimeoutMs,
      // Node.js compares the two before it sees Fastify's option, and takes its own five minutes for this one.
      requestTimeout: limits.requestTimeoutMs,
      connectionsCheckingInterval: Math.min(slowCheckMs, limits.headTimeoutMs, limits.requestTimeoutMs),
    },
    // The answer of GET, without its body; rnode has no HEAD.
    exposeHeadRoutes: true,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    routerOptions: { maxParamLength: limits.pathCharacters },
    // Those that are not idle are ended by the guard.
    forceCloseConnections: "idle",
  });
  server.decorate("contracts", []);
  server.decorate("conventions", conventions);
  server.decorate("unsent", unsent);
  const guard = new ConnectionGuard(limits, proxies);
  guard.watch(server.server);
  readInTurns(server.server, ({ remoteAddress = "" }, headers = {}) =>
    countedFor(proxies.clientOf(remoteAddress, headers), { limitsOwnMachine: true }),
  );
  server.decorate("connectionCounts", () => guard.counts);
  // An upgrade that is half done has no owner, and would hold the server up for ever.
  server.addHook("preClose", (done) => {
    guard.end(stopGraceMs);
    done();
  });
  endAnswers(server, stopGraceMs);
  server.addHook("onRequest", guardRequests({ audience, hosts: options.hosts, pages: options.pages }));
  readBodiesAsText(server, limits);
  if (proxies.isAny) server.addHook("onRequest", nameClient(proxies));
  server.addHook("onRequest", conventions.allowOrigin);
  server.addHook("onRequest", checkBudget(limits, keys, budget));
  server.decorateRequest("endRead", undefined);
  if (begin !== undefined) server.addHook("onRequest", beginRequests(begin));
  server.addHook("onSend", compressAnswers());
  server.addHook("onSend", holdAnswers(unsent));
  server.setNotFoundHandler((request, reply) => conventions.answerNotFound(request, reply));
  server.setErrorHandler((error, request, reply) => {
    // A failure during the shutdown, with its client gone, is not worth a line.
    if (!(reply.raw.destroyed && server.isEnding())) logFailure(error, log);
    return answerError(error, request, reply);
  });
  return server;
}

/**
 * Gives requests that a trusted proxy hands on the address of its client. Fastify's own way (`trustProxy`) knows one
 * header only, takes ports for parts of addresses, and believes further headers, about host and protocol.
 */
function nameClient(proxies: TrustedProxies): onRequestHookHandler {
  return (request, _reply, done) => {
    const { ip } = request;
    const client = proxies.clientOf(ip, request.headers);
    if (client !== ip) Object.defineProperty(request, "ip", { value: client });
    done();
  };
}

/** A client that has gone away in the meantime is not served. Monitoring reads no chain, and waits for nothing. */
function beginRequests(begin: BeginRead): onRequestHookHandler {
  return (request, reply, done) => {
    if (isFree(request)) {
      done();
      return;
    }
    request.endRead = begin(() => {
      if (!reply.raw.destroyed) done();
    });
    reply.raw.once("close", () => request.endRead?.());
  };
}

function givenKey(headers: IncomingHttpHeaders): GivenKey {
  const key = headers[keyHeaders.key];
  return { authorization: headers[keyHeaders.authorization], key: Array.isArray(key) ? key.join() : key };
}

/** Whether it is a request of the node's monitoring. */
function isFree({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.url?.startsWith("/health/") ?? false;
}

/** Refuses requests that are too long, and clients that send too many. */
function checkBudget(
  limits: HttpLimits,
  keys: ApiKeys | undefined,
  budget: RequestCounter = new RequestBudget(),
): onRequestHookHandler {
  return (request, reply, done) => {
    if (request.url.length > limits.pathCharacters) {
      const detail = `The path is longer than ${limits.pathCharacters} characters.`;
      return done(new Problem(detail, { status: 414, field: "path" }));
    }
    const verdict = keys?.judge(givenKey(request.headers), performance.now(), isFree(request));
    const isCounted = verdict?.kind === "counted";
    const counted = isCounted ? undefined : countedFor(request.ip, limits);
    const ofAddress = counted === undefined ? 0 : budget.take(counted, performance.now(), limits);
    const decide = (waitSeconds: number) => {
      // The count of a fleet may come late.
      if (reply.raw.destroyed) return;
      if (waitSeconds === 0 && verdict?.kind === "refused") {
        reply.header("www-authenticate", "Bearer");
        return done(new Problem(verdict.reason, { status: 401, kind: "unauthorized" }));
      }
      if (waitSeconds === 0) return done();
      const whose = isCounted ? ` with the key ${verdict.name}` : "";
      const detail = `Too many requests${whose}; send the next one in ${waitSeconds} s.`;
      done(new Problem(detail, { status: 429, retryAfterSeconds: waitSeconds }));
    };
    const waitSeconds = isCounted ? verdict.waitSeconds : ofAddress;
    if (typeof waitSeconds === "number") decide(waitSeconds);
    else waitSeconds.then(decide, done);
  };
}

const { error } = linesOf("api");

/** Characters of a message, part of which may come from the client. */
const longestMessage = 500;

/**
 * Logs what rnode logs: exceptions, not refusals.
 *
 * @spec 50 §1.3
 */
function logFailure(failure: unknown, log: Log | undefined): void {
  if (log === undefined || failure instanceof Problem) return;
  if (failure instanceof ApiError) {
    if (failure.kind !== "refusal") log(error(`HTTP API response error: ${printable(failure.message)}`));
    return;
  }
  const { statusCode } = failure as { readonly statusCode?: number };
  if (statusCode !== undefined && statusCode < 500) return;
  const { stack = "", message } = failure instanceof Error ? failure : { message: String(failure) };
  log(error(`HTTP API response error: ${printable(message)}`, ...stack.split("\n").slice(1).map(printable)));
}

/** A client's text cannot begin a line of its own. */
function printable(message: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return message.slice(0, longestMessage).replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ");
}
