import type { TSchema } from "typebox";
import * as Type from "typebox";
import { blockRoute, blockSpanRoute, blocksRoute, lastFinalizedBlockRoute, newestBlocksRoute } from "../blockRoutes.js";
import { deployBlockRoute, deployRoute } from "../deployRoutes.js";
import type { RouteContract } from "../RouteContract.js";
import { rhoExpr } from "../rhoValues.js";
import { int64 } from "../scalars.js";
import { dataAtNameAtBlockRoute, exploreAtBlockRoute, exploreDeployRoute } from "../stateRoutes.js";
import { statusRoute } from "../statusRoutes.js";
import { deployInfo, lightBlockInfo, status } from "../values.js";
import { finalizationState } from "./f1r3nodeDeployRoutes.js";

const hexOrBase64 = Type.String();
const lightBlock = Type.Object({
  ...lightBlockInfo.properties,
  extraBytes: hexOrBase64,
  headerExtraBytes: hexOrBase64,
  bodyExtraBytes: hexOrBase64,
});
const data = Type.Object({ expr: Type.Array(rhoExpr), block: lightBlock, cost: Type.Optional(int64()) });
const wrapped = Type.Object({ blockInfo: lightBlock });
const block = Type.Object({ blockInfo: lightBlock, deploys: Type.Array(deployInfo) });
const blocks = Type.Array(Type.Union([wrapped, lightBlock]));

/** A route with another answer, which fits more. */
function answering<P extends TSchema, Q extends TSchema, B extends TSchema, A extends TSchema>(
  route: RouteContract<P, Q, B>,
  schema: A,
): RouteContract<P, Q, B, A> {
  return { ...route, answer: { ...route.answer, schema } };
}

/**
 * Routes for clients that read answers of either dialect. Bytes are in hexadecimal digits or in base 64; blocks of a
 * list are bare or in a member `blockInfo`; a deploy is answered with its block or its detail, an accepted deploy with a space or a line break.
 *
 * @spec 50 §1.9, §10.3, §10.4
 */
export const dialectNeutralRoutes = {
  status: answering(
    statusRoute,
    Type.Object({ ...status.properties, version: Type.Union([Type.String(), Type.Object({ node: Type.String() })]) }),
  ),
  newestBlocks: answering(newestBlocksRoute, blocks),
  blocks: answering(blocksRoute, blocks),
  blockSpan: answering(blockSpanRoute, blocks),
  lastFinalizedBlock: answering(lastFinalizedBlockRoute, block),
  block: answering(blockRoute, block),
  deploy: answering(deployRoute, Type.String({ pattern: "^Success!\\sDeployId is: [0-9a-f]+$" })),
  findDeploy: answering(
    deployBlockRoute,
    Type.Union([
      lightBlock,
      Type.Object({
        ...{ deployId: Type.String(), blockHash: Type.String() },
        finalizationState: Type.Optional(finalizationState),
      }),
    ]),
  ),
  explore: answering(exploreDeployRoute, data),
  exploreJson: answering(
    { ...exploreDeployRoute, body: { type: "application/json", schema: Type.Object({ term: Type.String() }) } },
    data,
  ),
  exploreAtBlock: answering(exploreAtBlockRoute, data),
  dataAtNameAtBlock: answering(dataAtNameAtBlockRoute, data),
};
