import { newerOpenApiRoute, publicTraceRoute, traceRoute, versionRoute } from "@vedette/api";
import { NewerBlockAnswers } from "@vedette/queries";
import type { ApiDialect } from "../ApiDialect.js";
import { newerManners } from "../manners/newerManners.js";
import { registerNetworkQueries } from "../networkQueries.js";
import { serve } from "../serve.js";
import { registerTrace } from "../trace.js";
import { registerNewerBlocks } from "./blocks.js";
import { registerNewerDeploys } from "./deploys.js";
import { registerNewerExplorations } from "./explore.js";
import { registerNewerNode, registerNewerPropose, registerNewerStatus } from "./node.js";

/** Networks of the newer node. @spec 50 §10 */
export const newerApi: ApiDialect = {
  manners: newerManners,
  documentRoute: newerOpenApiRoute,
  registerPublic(server, queries, isReporting) {
    const { blocks, accounts, transfers, reports, status } = queries;
    if (transfers === undefined) throw new TypeError("queries of another dialect");
    const answers = new NewerBlockAnswers({ blocks, accounts, transfers });
    registerNewerStatus(server, status);
    serve(server, versionRoute, () => status.version);
    registerNewerNode(server, queries);
    registerNewerBlocks(server, answers, blocks);
    registerNewerDeploys(server, queries, answers);
    registerNewerExplorations(server, queries);
    registerNetworkQueries(server, queries);
    if (isReporting) registerTrace(server, { ...publicTraceRoute, refusals: "kind" }, reports, blocks);
    server.get("/swagger-ui", (_request, reply) => reply.redirect("/docs"));
  },
  registerOperator(server, queries) {
    registerNewerPropose(server, queries.proposals);
    registerNewerStatus(server, queries.status);
    registerTrace(server, { ...traceRoute, refusals: "kind" }, queries.reports, queries.blocks);
  },
};
