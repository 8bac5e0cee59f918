import { Problem } from "@vedette/queries";
import type { FastifyReply, FastifyRequest, onRequestHookHandler } from "fastify";
import { contentTypeOf } from "./bodyText.js";
import { HostList } from "./HostList.js";

/**
 * The clients of a server: `public`, all clients, and every web page in any browser; `operator`, programs on the
 * operator's machine, as its routes make blocks or read all stored data.
 */
export type Audience = "public" | "operator";

/** Clients that a server answers beside those that it always does. */
export interface GuardOptions {
  readonly audience: Audience;
  /** Names in `Host`, see {@link HostList}; none are any on a public server. */
  readonly hosts?: readonly string[] | undefined;
  /** Pages that may send requests to a server of the operator. */
  readonly pages?: readonly OriginAllowlist[] | undefined;
}

/** Pages that may send requests, and their allowed methods. */
export interface OriginAllowlist {
  /** Such as `http://127.0.0.1:40403`. */
  readonly origins: ReadonlySet<string>;
  /** Below it alone; left out: everything. */
  readonly path?: RegExp;
}

/**
 * The one guard of every HTTP server: it runs before all else, so that a refused request reaches no route, no socket
 * and no preflight.
 *
 * Pages are the danger: the operator's browser is a program on the operator's machine, and sends what any page wants. A
 * page of another origin is known by what browsers add by themselves (`Origin`, `Sec-Fetch-Site`), one that took over a
 * name by `Host`. What browsers send without naming the page (an image, a form of an old browser) can change nothing:
 * no GET does, and a body counts as JSON only with that type, which a page cannot set without a preflight.
 *
 * @spec 50 §1.19
 */
export function guardRequests({ audience, hosts = [], pages = [] }: GuardOptions): onRequestHookHandler {
  const isAnyHost = audience === "public" && hosts.length === 0;
  const names = new HostList(isAnyHost ? ["*"] : hosts);
  return (request, reply, done) => {
    const { headers, url } = request;
    if (!names.has(headers.host)) return done(refusal(403, unknownName));
    if (audience === "public") return done();
    const { origin } = headers;
    const isLetIn =
      origin !== undefined && pages.some((page) => page.origins.has(origin) && (page.path?.test(url) ?? true));
    if (isLetIn) allowOrigin(origin, reply);
    else if (isCrossOrigin(headers)) return done(refusal(403, notForPages));
    if (isLetIn && request.method === "OPTIONS") return answerPreflight(reply);
    if (isOtherBody(request)) return done(refusal(415, jsonWanted));
    done();
  };
}

const unknownName =
  "This port does not answer to the name in Host; ask by an address, or have the operator list the name (api-server.hosts, api-server.admin-hosts; vedette index --allow-host).";
const notForPages = "This port is not for web pages; use a program on the node's machine, or the public API.";
const jsonWanted = "A body has to be JSON and to say so: content-type: application/json.";

function refusal(status: number, detail: string): Problem {
  return new Problem(detail, { status });
}

/** The headers that browsers send about a page by themselves. */
interface PageHeaders {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
  readonly referer?: string | undefined;
  readonly "sec-fetch-site"?: string | string[] | undefined;
}

/** Whether a browser sends it for a page of another origin. */
export function isCrossOrigin({ host, origin, referer, "sec-fetch-site": site }: PageHeaders): boolean {
  const isOwn = (page: string) => page === `http://${host}` || page === `https://${host}`;
  if (origin !== undefined && !isOwn(origin)) return true;
  // All that browsers send about an image at http://0.0.0.0, which is no address that they trust.
  if (referer !== undefined && !isOwn(URL.canParse(referer) ? new URL(referer).origin : "")) return true;
  return site !== undefined && site !== "same-origin" && site !== "none";
}

/** Lets a page read the answer, by `Origin`, which no page can write; to a browser another port is another origin. */
function allowOrigin(origin: string, reply: FastifyReply): void {
  reply.header("access-control-allow-origin", origin).header("vary", "Origin");
}

function answerPreflight(reply: FastifyReply): void {
  reply
    .code(204)
    .header("access-control-allow-methods", "GET, POST")
    .header("access-control-allow-headers", "content-type")
    .header("access-control-max-age", "600")
    .send();
}

/**
 * Whether it carries a body that a page can send without a preflight. Programs in plain text are read, and change
 * nothing.
 */
function isOtherBody(request: FastifyRequest): boolean {
  const { method, headers, routeOptions, is404 } = request;
  if (is404 || method === "GET" || method === "HEAD" || method === "OPTIONS") return false;
  // Clients name a type for an empty text, too.
  if (headers["content-length"] === "0" && headers["transfer-encoding"] === undefined) return false;
  if (routeOptions.config.contract?.body?.type === "text/plain") return false;
  const type = contentTypeOf(request);
  if (type === undefined) return headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0;
  return !/^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
