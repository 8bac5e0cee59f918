import { isIP } from "node:net";
import { Problem } from "@vedette/queries";
import type { onRequestHookHandler } from "fastify";

/**
 * Refuses what a browser sends for a web page of somebody else: the operator's port stands open to programs on the
 * node's machine, the operator's browser is one of them, and a block can be proposed by a mere GET (50 §2.1).
 *
 * A page is told by what browsers add by themselves. One that has had its own name resolve to this machine is known
 * by that name: only addresses and names without a dot, which strangers cannot own, are believed to be ours.
 */
export const refusePages: onRequestHookHandler = ({ headers }, _reply, done) => {
  const { host = "", origin, "sec-fetch-site": site } = headers;
  if (origin === undefined && site === undefined) return done();
  const isOwn = site === undefined ? isOriginOf(origin!, host) : site === "same-origin" || site === "none";
  if (isOwn && isOurs(host)) return done();
  const detail = "This port is not for web pages; use a program on the node's machine, or the public API.";
  done(new Problem(detail, { status: 403 }));
};

/** Pages that may ask, and what for. */
export interface LetIn {
  /** Such as `http://127.0.0.1:40403`. */
  readonly origins: ReadonlySet<string>;
  /** Below it alone. */
  readonly path: RegExp;
}

/**
 * As {@link refusePages}, but pages of some origins may ask for what stands below a path: a browser is told so, since
 * another port is another origin to it. Who they are is told by `Origin`, which no page can write.
 */
export function refusePagesBut({ origins, path }: LetIn): onRequestHookHandler {
  return function (request, reply, done) {
    const { host = "", origin } = request.headers;
    if (origin === undefined || !origins.has(origin) || !path.test(request.url) || !isOurs(host))
      return refusePages.call(this, request, reply, done);
    reply.header("access-control-allow-origin", origin).header("vary", "Origin");
    if (request.method !== "OPTIONS") return done();
    reply
      .code(204)
      .header("access-control-allow-methods", "GET, POST")
      .header("access-control-allow-headers", "content-type")
      .header("access-control-max-age", "600")
      .send();
  };
}

function isOriginOf(origin: string, host: string): boolean {
  return origin === `http://${host}` || origin === `https://${host}`;
}

function isOurs(host: string): boolean {
  const name = host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
  return isIP(name) !== 0 || /^[\w-]+$/.test(name);
}
