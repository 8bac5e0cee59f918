import type { FastifyInstance } from "fastify";
import type { ExploreQueries } from "../query/ExploreQueries.js";
import { readBody } from "./requestBody.js";
import { sendJson, whileConnected } from "./server.js";

/**
 * `POST /api/explore-deploy`: the body is the program's text, also when it looks like JSON. `POST /explore-deploy`,
 * which the reference does not have, runs the `term` of a JSON body as its documentation says.
 * `POST /api/explore-deploy-by-block-hash` takes JSON.
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
  server.post<{ Body: string | undefined }>("/api/explore-deploy-by-block-hash", async (request, reply) => {
    const program = readBody(request.body, (body) => ({
      term: body.member("term").text(),
      blockHash: body.member("blockHash").text(),
      usePreStateHash: body.member("usePreStateHash").flag(),
    }));
    return sendJson(reply, await explore.atBlock(program, whileConnected(reply)));
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
