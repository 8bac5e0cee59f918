import { exploreAtBlockRoute, exploreDeployRoute, exploreTermRoute } from "@vedette/api";
import { type ExploreQueries, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { JsonText } from "./JsonText.js";
import { type RequestContext, serve } from "./serve.js";

/** Programs that are run on a state. @spec 50 §1.9, §8.7 */
export function registerExploreDeploy(server: FastifyInstance, explore: ExploreQueries): void {
  const run = async (term: string, { signal, request }: RequestContext) =>
    new JsonText(await explore.onLastFinalized(term, signal, request.ip));
  serve(server, exploreDeployRoute, ({ body }, context) => run(body, context));
  serve(server, exploreTermRoute, ({ body }, context) => run(termOf(body), context));
  serve(server, exploreAtBlockRoute, async ({ body }, { signal, request }) => {
    const program = { ...body, client: request.ip };
    return new JsonText(await explore.atBlock(program, signal));
  });
}

const expected =
  'The body must be a Rholang program as text, or {"term":"<program>"} as JSON; for example: new return in { return!(1 + 2) }';

/**
 * The program in a body. A body that is an object of JSON without one would be run as a program, too: a map, which
 * returns nothing.
 *
 * @throws {Problem}
 */
export function termOf(body: string): string {
  if (body.trim() === "") throw new Problem(`body is empty. ${expected}.`, { field: "body" });
  if (!/^\s*[{["]/.test(body)) return body;
  const json = jsonOf(body);
  if (json === undefined) return body;
  if (typeof json === "object" && json !== null && "term" in json && typeof json.term === "string") return json.term;
  throw new Problem(`body.term is missing or no text. ${expected}.`, { field: "body.term" });
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
