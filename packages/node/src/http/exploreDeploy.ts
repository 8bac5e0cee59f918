import type { FastifyInstance, FastifyReply } from "fastify";
import type { ExploreQueries } from "../query/ExploreQueries.js";
import { sendJson } from "./server.js";

/**
 * `POST /api/explore-deploy`: the body is the program's text, also when it looks like JSON. `POST /explore-deploy`,
 * which the reference does not have, runs the `term` of a JSON body as its documentation says.
 *
 * @spec 50 §1.9, §8.7
 */
export function registerExploreDeploy(server: FastifyInstance, explore: ExploreQueries): void {
  server.post<{ Body: string | undefined }>("/api/explore-deploy", async (request, reply) =>
    sendJson(reply, await explore.onLastFinalized(request.body ?? "", whileConnected(reply))),
  );
  server.post<{ Body: string | undefined }>("/explore-deploy", async (request, reply) => {
    const body = request.body ?? "";
    return sendJson(reply, await explore.onLastFinalized(termOf(body) ?? body, whileConnected(reply)));
  });
}

function termOf(body: string): string | undefined {
  if (!body.trimStart().startsWith("{")) return undefined;
  try {
    const { term } = JSON.parse(body);
    return typeof term === "string" ? term : undefined;
  } catch {
    return undefined;
  }
}

/** Aborts when the client goes away: nobody waits for the answer then. */
function whileConnected(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableEnded) controller.abort();
  });
  return controller.signal;
}
