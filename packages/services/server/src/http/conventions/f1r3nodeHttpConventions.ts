import type { RouteContract } from "@vedette/api";
import { Problem } from "@vedette/queries";
import { allowAnyOrigin, anyOrigin } from "../allowOrigin.js";
import { sendKind, sendNoRoute } from "../refuse.js";
import type { HttpConventions } from "./HttpConventions.js";
import { isOwnPath } from "./rnodeHttpConventions.js";

/** Those of f1r3node. @spec 50 §10.2 */
export const f1r3nodeHttpConventions: HttpConventions = {
  allowOrigin: allowAnyOrigin,
  formOfPath: (path) => (isOwnPath(path) ? "problem" : "kind"),
  // The paths without it are ours, and take what they always took.
  wantsJsonType: (path) => path.startsWith("/api/"),
  answerNotFound(request, reply) {
    if (isOwnPath(request.url)) return sendNoRoute(reply);
    reply.headers(anyOrigin);
    const path = request.url.split("?", 1)[0] ?? "";
    const methods = methodsOf(request.server.contracts, path);
    if (methods.length === 0 || methods.includes(request.method)) return sendKind(reply, noRoute());
    reply.header("allow", methods.join(", "));
    return sendKind(reply, otherMethod());
  },
};

function noRoute(): Problem {
  const text = "There is no such route; /openapi.json and /docs list those there are.";
  return new Problem(text, { status: 404, kind: "endpoint_not_found" });
}

function otherMethod(): Problem {
  return new Problem("The route is asked with another method.", { status: 405, kind: "method_not_allowed" });
}

/** Returns the methods of the routes at a path. */
function methodsOf(contracts: readonly RouteContract[], path: string): string[] {
  const parts = path.split("/");
  const found = contracts.filter(({ paths }) => paths.some((one) => isAt(one.split("/"), parts)));
  return [...new Set(found.map(({ method }) => method as string))];
}

function isAt(template: readonly string[], parts: readonly string[]): boolean {
  if (template.length !== parts.length) return false;
  return template.every((one, index) => (one.startsWith("{") ? parts[index] !== "" : one === parts[index]));
}
