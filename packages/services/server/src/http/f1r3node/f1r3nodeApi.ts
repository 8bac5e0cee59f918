import {
  deployDetailRoute,
  f1r3nodeDeployRoute,
  f1r3nodeOpenApiRoute,
  publicTraceRoute,
  traceRoute,
  versionRoute,
} from "@vedette/api";
import { fromHexPadded } from "@vedette/crypto";
import { ApiError, type ApiQueries, F1r3nodeBlockAnswers, shownName } from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import type { ApiDialect } from "../ApiDialect.js";
import { f1r3nodeHttpConventions } from "../conventions/f1r3nodeHttpConventions.js";
import { submitDeploy } from "../deploy.js";
import { JsonText } from "../JsonText.js";
import { registerNetworkQueries } from "../networkQueries.js";
import { serve } from "../serve.js";
import { registerTrace } from "../trace.js";
import { registerF1r3nodeBlocks } from "./blocks.js";
import { registerF1r3nodeExplorations } from "./explore.js";
import { registerF1r3nodeNode, registerF1r3nodePropose, registerF1r3nodeStatus } from "./node.js";
import { viewOf } from "./viewOf.js";

/** f1r3node networks. @spec 50 §10 */
export const f1r3nodeApi: ApiDialect = {
  conventions: f1r3nodeHttpConventions,
  documentRoute: f1r3nodeOpenApiRoute,
  registerPublic(server, queries, isReporting) {
    const { blocks, accounts, transfers, reports, status } = queries;
    if (transfers === undefined) throw new TypeError("queries of another dialect");
    const answers = new F1r3nodeBlockAnswers({ blocks, accounts, transfers });
    registerF1r3nodeStatus(server, status);
    serve(server, versionRoute, () => status.version);
    registerF1r3nodeNode(server, queries);
    registerF1r3nodeBlocks(server, answers, blocks);
    registerF1r3nodeDeploys(server, queries, answers);
    registerF1r3nodeExplorations(server, queries);
    registerNetworkQueries(server, queries);
    if (isReporting) registerTrace(server, { ...publicTraceRoute, refusals: "kind" }, reports, blocks);
    server.get("/swagger-ui", (_request, reply) => reply.redirect("/docs"));
  },
  registerOperator(server, queries) {
    registerF1r3nodePropose(server, queries.proposals);
    registerF1r3nodeStatus(server, queries.status);
    registerTrace(server, { ...traceRoute, refusals: "kind" }, queries.reports, queries.blocks);
  },
};

/** `POST /api/deploy`, `GET /api/deploy/{id}`. @spec 50 §10.4 */
function registerF1r3nodeDeploys(
  server: FastifyInstance,
  { deploys }: Pick<ApiQueries, "deploys">,
  answers: F1r3nodeBlockAnswers,
): void {
  serve(server, f1r3nodeDeployRoute, ({ body }, { request }) => submitDeploy(deploys, body, request.ip));
  serve(server, deployDetailRoute, async ({ params, query }, context) => {
    const signature = fromHexPadded(params.deployId);
    if (signature === undefined)
      throw new ApiError(`'${shownName(params.deployId)}' is not the id of a deploy.`, { reason: "invalidHash" });
    return new JsonText(await answers.deploy(signature, viewOf(query, "full"), context));
  });
}
