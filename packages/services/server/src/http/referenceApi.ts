import {
  blockSpanRoute,
  blocksRoute,
  lastFinalizedBlockRoute,
  newestBlocksRoute,
  openApiRoute,
  prepareDeployRoute,
  proposeRoute,
  publicTraceRoute,
  sequenceNumberRoute,
  traceRoute,
  transactionsRoute,
} from "@vedette/api";
import { fromHexLenient, toHex } from "@vedette/crypto";
import {
  BlockAnswers,
  type BlockQueries,
  type ProposeRequests,
  type ReportQueries,
  type ValidatorQueries,
} from "@vedette/queries";
import type { FastifyInstance } from "fastify";
import type { ApiDialect } from "./ApiDialect.js";
import { registerApiV1, registerApiV1Propose } from "./apiV1.js";
import { registerBlock, textOf } from "./block.js";
import { rnodeHttpConventions } from "./conventions/rnodeHttpConventions.js";
import { registerDataAtName } from "./dataAtName.js";
import { registerDeploy } from "./deploy.js";
import { registerExploreDeploy } from "./exploreDeploy.js";
import { JsonText } from "./JsonText.js";
import { registerNetworkQueries } from "./networkQueries.js";
import { serve } from "./serve.js";
import { registerStatus } from "./status.js";
import { registerTrace } from "./trace.js";

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

/** `GET /blocks`, `/blocks/{depth}`, `/blocks/{start}/{end}`. @spec 50 §1.9 */
function registerBlocks(server: FastifyInstance, blocks: BlockQueries, answers: BlockAnswers): void {
  serve(server, newestBlocksRoute, () => textOf(answers.newest(1)));
  serve(server, blocksRoute, ({ params }) => textOf(answers.newest(params.depth)));
  serve(
    server,
    blockSpanRoute,
    ({ params }) => new JsonText(blocks.blockSpan(BigInt(params.start), BigInt(params.end))),
  );
}

/** `GET /last-finalized-block`. @spec 50 §1.9 */
function registerLastFinalizedBlock(server: FastifyInstance, answers: BlockAnswers): void {
  serve(server, lastFinalizedBlockRoute, (_, context) => textOf(answers.lastFinalized(context)));
}

/** `GET` and `POST /prepare-deploy`. @spec 50 §1.9 */
function registerPrepareDeploy(server: FastifyInstance, validators: ValidatorQueries): void {
  const answer = (names: readonly Uint8Array[]) => ({
    names: names.map(toHex),
    seqNumber: validators.ownSequenceNumber(),
  });
  serve(server, sequenceNumberRoute, () => answer([]));
  serve(server, prepareDeployRoute, ({ body: { deployer, timestamp, nameQty } }) =>
    answer(validators.privateNames(fromHexLenient(deployer), timestamp, nameQty)),
  );
}

/** `GET /transactions/{hash}`. @spec 50 §1.9 */
function registerTransactions(server: FastifyInstance, reports: ReportQueries): void {
  serve(server, transactionsRoute, async ({ params }) => {
    const { text, isSettled } = await reports.transactions(fromHexLenient(params.hash));
    return new JsonText(text, { isSettled });
  });
}

/** `POST /api/propose` of the operator's server. @spec 50 §2.1 */
function registerPropose(server: FastifyInstance, proposals: ProposeRequests): void {
  serve(server, proposeRoute, () => proposals.propose(false));
}
