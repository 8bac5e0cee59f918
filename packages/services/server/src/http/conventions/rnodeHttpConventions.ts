import { allowOrigin, forgetOrigin } from "../allowOrigin.js";
import { sendNoRoute } from "../refuse.js";
import type { HttpConventions } from "./HttpConventions.js";

/** Those of rnode. @spec 50 §1.1, §1.2 */
export const rnodeHttpConventions: HttpConventions = {
  allowOrigin,
  formOfPath(path) {
    if (isOwnPath(path)) return "problem";
    return path.startsWith("/api/v1/") ? "texts" : "text";
  },
  wantsJsonType: () => false,
  answerNotFound(request, reply) {
    if (isOwnPath(request.url)) return sendNoRoute(reply);
    forgetOrigin(reply);
    return reply.code(404).type("text/plain; charset=UTF-8").send("Not found");
  },
};

/** Whether it is one of ours, which no node of another make has. */
export function isOwnPath(path: string): boolean {
  return /^\/+v2(\/|\?|$)/.test(path);
}
