import type { FastifyReply, FastifyRequest, HookHandlerDoneFunction } from "fastify";

const shared = ["vary", "access-control-allow-credentials", "access-control-allow-methods"] as const;
const headers = [...shared, "access-control-allow-origin", "access-control-max-age", "access-control-expose-headers"];

/**
 * Any origin may ask; it is echoed. A preflight is answered on every path below a prefix that has routes.
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

/** The final 404 has no such headers. @spec 50 §1.2 */
export function forgetOrigin(reply: FastifyReply): void {
  for (const name of headers) reply.removeHeader(name);
}

function isMounted({ server, url }: FastifyRequest): boolean {
  const prefix = firstSegment(url);
  return server.contracts.some(({ paths }) => paths.some((path) => firstSegment(path) === prefix));
}

function firstSegment(path: string): string | undefined {
  return path.split(/[/?#]+/, 2)[1];
}
