import { exploreAtBlockRoute, exploreDeployRoute, exploreTermRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ExploreQueries } from "../query/ExploreQueries.js";
import { JsonText } from "./JsonText.js";
import { type RequestContext, serve } from "./serve.js";

/** Programs that are run on a state. @spec 50 §1.9, §8.7 */
export function registerExploreDeploy(server: FastifyInstance, explore: ExploreQueries): void {
  const run = async (term: string, { signal, request }: RequestContext) =>
    new JsonText(await explore.onLastFinalized(term, signal, request.ip));
  serve(server, exploreDeployRoute, ({ body }, context) => run(body, context));
  serve(server, exploreTermRoute, ({ body }, context) => run(termOf(body) ?? body, context));
  serve(server, exploreAtBlockRoute, async ({ body }, { signal, request }) => {
    const program = { ...body, client: request.ip };
    return new JsonText(await explore.atBlock(program, signal));
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
