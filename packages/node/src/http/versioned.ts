import {
  printJson,
  versionedBlockRoute,
  versionedBlocksRoute,
  versionedDeployRoute,
  versionedDocument,
  versionedExploreRoute,
  versionedOpenApiRoute,
  versionedProposeRoute,
  versionedStatusRoute,
} from "@vedette/api";
import type { FastifyInstance } from "fastify";
import type { ApiQueries } from "../query/apiQueries.js";
import { BlockAnswers } from "../query/BlockAnswers.js";
import { textOf } from "./block.js";
import { submitDeploy } from "./deploy.js";
import { JsonText } from "./JsonText.js";
import { serve } from "./serve.js";
import { apiStatusText } from "./status.js";

/** The routes below `/api/v1` that both servers have. @spec 50 §1.10, §2 */
export function registerVersioned(server: FastifyInstance, queries: ApiQueries, isAdmin = false): void {
  const { status, blocks, deploys, explore } = queries;
  const answers = new BlockAnswers(blocks);
  const document = printJson(versionedDocument(isAdmin));
  serve(server, versionedOpenApiRoute, () => new JsonText(document));
  serve(server, versionedStatusRoute, () => new JsonText(apiStatusText(status)));
  serve(server, versionedBlocksRoute, () => textOf(answers.newest(1)));
  serve(server, versionedBlockRoute, ({ params }) => textOf(answers.block(params.hash)));
  serve(server, versionedDeployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, versionedExploreRoute, async ({ body }, { signal, request }) => {
    const program = { term: body, blockHash: "", usePreStateHash: false, client: request.ip };
    return new JsonText(await explore.atBlock(program, signal, "tagged"));
  });
}

/** `GET /api/v1/propose` of the operator's server. @spec 50 §2.1 */
export function registerVersionedPropose(server: FastifyInstance, { proposals }: ApiQueries): void {
  serve(server, versionedProposeRoute, () => proposals.propose(false));
}
