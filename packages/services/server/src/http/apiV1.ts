import {
  apiV1BlockRoute,
  apiV1BlocksRoute,
  apiV1DeployRoute,
  apiV1Document,
  apiV1ExploreRoute,
  apiV1OpenApiRoute,
  apiV1ProposeRoute,
  apiV1StatusRoute,
  printJson,
} from "@vedette/api";
import { type ApiQueries, BlockAnswers, Problem } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import { textOf } from "./block.js";
import { submitDeploy } from "./deploy.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";
import { apiStatusAnswer } from "./status.js";

/** The routes below `/api/v1` that both servers have. @spec 50 §1.10, §2 */
export function registerApiV1(server: FastifyInstance, queries: ApiQueries, isAdmin = false): void {
  const { status, blocks, deploys, explore } = queries;
  const answers = new BlockAnswers(blocks);
  const document = new JsonText(printJson(apiV1Document(isAdmin)));
  const answer = apiStatusAnswer(status);
  serve(server, apiV1OpenApiRoute, () => document);
  serve(server, apiV1StatusRoute, () => answer.now());
  serve(server, apiV1BlocksRoute, () => textOf(answers.newest(1)));
  serve(server, apiV1BlockRoute, ({ params }, context) => textOf(answers.block(params.hash, context)));
  serve(server, apiV1DeployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, apiV1ExploreRoute, async ({ body }, { signal, request }) => {
    const program = { term: body, blockHash: "", usePreStateHash: false, client: request.ip };
    return new JsonText(await explore.atBlock(program, signal, "tagged"));
  });
}

/** `POST /api/v1/propose` of the operator's server. @spec 50 §2.1 */
export function registerApiV1Propose(server: FastifyInstance, { proposals }: ApiQueries): void {
  serve(server, apiV1ProposeRoute, () => proposals.propose(false));
  // rnode's form, which an image of any page would send.
  server.get(apiV1ProposeRoute.paths[0], (_request, reply) => {
    reply.header("allow", "POST");
    throw new Problem("A block is made by POST; what a GET asks for changes nothing.", { status: 405 });
  });
}
