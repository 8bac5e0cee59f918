import { exploreAtBlockRoute, exploreDeployRoute, exploreTermRoute } from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ExploreQueries } from "../query/ExploreQueries.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";

/** Programs that are run on a state. @spec 50 §1.9, §8.7 */
export function registerExploreDeploy(server: FastifyInstance, explore: ExploreQueries): void {
  const run = async (term: string, signal: AbortSignal) => new JsonText(await explore.onLastFinalized(term, signal));
  serve(server, exploreDeployRoute, ({ body }, { signal }) => run(body, signal));
  serve(server, exploreTermRoute, ({ body }, { signal }) => run(termOf(body) ?? body, signal));
  serve(server, exploreAtBlockRoute, async ({ body }, { signal }) => new JsonText(await explore.atBlock(body, signal)));
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
