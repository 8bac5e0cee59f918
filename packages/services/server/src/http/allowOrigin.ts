import type { RouteContract } from "@vedette/api";
import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

const shared = ["vary", "access-control-allow-credentials", "access-control-allow-methods"] as const;
const headers = [...shared, "access-control-allow-origin", "access-control-max-age", "access-control-expose-headers"];

/**
 * Any origin is allowed; it is echoed. A preflight is answered on every path below a prefix that has routes.
 *
 * @spec 50 §1.2
 */
export function allowOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  const { origin } = request.headers;
  if (origin === undefined || !isMounted(request)) {
    done();
    return;
  }
  const asked = request.method === "OPTIONS" ? request.headers["access-control-request-method"] : undefined;
  reply.headers({
    Vary: "Origin,Access-Control-Request-Method",
    "Access-Control-Allow-Credentials": "false",
    "Access-Control-Allow-Methods": asked ?? request.method,
    "Access-Control-Allow-Origin": origin,
    "Access-Control-Max-Age": "86400",
  });
  if (asked === undefined) {
    reply.header("Access-Control-Expose-Headers", "*");
    done();
    return;
  }
  reply.header("Access-Control-Allow-Headers", "Content-Type, Authorization, *").code(200).send("");
}

/** The header of every answer of f1r3node: any page may read it. @spec 50 §10.2 */
export const anyOrigin = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": "*",
  vary: "origin, access-control-request-method, access-control-request-headers",
} as const;

/** Any origin is allowed, by any method and with any header. @spec 50 §10.2 */
export function allowAnyOrigin(request: FastifyRequest, reply: FastifyReply, done: HookHandlerDoneFunction): void {
  // Our pages, and what they load, are for themselves.
  if (!isMounted(request)) {
    done();
    return;
  }
  reply.headers(anyOrigin);
  if (request.method !== "OPTIONS") {
    done();
    return;
  }
  const preflight = { "access-control-allow-methods": "*", "access-control-allow-headers": "*" };
  reply.headers(preflight).code(200).send("");
}

/** The final 404 has no such headers. @spec 50 §1.2 */
export function forgetOrigin(reply: FastifyReply): void {
  for (const name of headers) reply.removeHeader(name);
}

/** The first parts of the paths of a server's routes, and of how many routes. */
const mounted = new WeakMap<readonly RouteContract[], { readonly routes: number; readonly prefixes: Set<string> }>();

function isMounted({ server, url }: FastifyRequest): boolean {
  const { contracts } = server;
  let known = mounted.get(contracts);
  if (known?.routes !== contracts.length) {
    const prefixes = new Set(contracts.flatMap(({ paths }) => paths.map(firstPart)));
    known = { routes: contracts.length, prefixes };
    mounted.set(contracts, known);
  }
  return known.prefixes.has(firstPart(url));
}

function firstPart(path: string): string {
  return path.split(/[/?#]+/, 2)[1] ?? "";
}
