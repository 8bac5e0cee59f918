import { openApiRoute, publicTraceRoute, traceRoute } from "@vedette/api";
import { BlockAnswers } from "@vedette/queries";
import type { ApiDialect } from "./ApiDialect.js";
import { registerApiV1, registerApiV1Propose } from "./apiV1.js";
import { registerBlock } from "./block.js";
import { registerBlocks } from "./blocks.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { registerDataAtName } from "./dataAtName.js";
import { registerDeploy } from "./deploy.js";
import { registerExploreDeploy } from "./exploreDeploy.js";
import { registerLastFinalizedBlock } from "./lastFinalizedBlock.js";
import { registerNetworkQueries } from "./networkQueries.js";
import { registerPrepareDeploy } from "./prepareDeploy.js";
import { registerPropose } from "./propose.js";
import { registerStatus } from "./status.js";
import { registerTrace } from "./trace.js";
import { registerTransactions } from "./transactions.js";

/** Networks of rnode. @spec 50 §1, §2 */
export const referenceApi: ApiDialect = {
  conventions: rnodeHttpConventions,
  documentRoute: openApiRoute,
  registerPublic(server, queries, isReporting) {
    const { blocks, explore, deploys, validators, names, reports, status } = queries;
    const answers = new BlockAnswers(blocks);
    registerStatus(server, status);
    registerBlocks(server, blocks, answers);
    registerBlock(server, blocks, answers);
    registerLastFinalizedBlock(server, answers);
    registerExploreDeploy(server, explore);
    registerDeploy(server, deploys, blocks);
    registerPrepareDeploy(server, validators);
    registerDataAtName(server, names, blocks);
    registerTransactions(server, reports);
    registerNetworkQueries(server, queries);
    if (isReporting) registerTrace(server, publicTraceRoute, reports, blocks);
    registerApiV1(server, queries);
  },
  registerOperator(server, queries) {
    registerPropose(server, queries.proposals);
    registerTrace(server, traceRoute, queries.reports, queries.blocks);
    registerApiV1(server, queries, true);
    registerApiV1Propose(server, queries);
  },
};
