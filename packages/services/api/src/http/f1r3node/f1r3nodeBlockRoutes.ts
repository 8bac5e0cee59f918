import * as Type from "typebox";
import { blockRoute, blockSpanRoute, blocksRoute, lastFinalizedBlockRoute, newestBlocksRoute } from "../blockRoutes.js";
import { defineRoute } from "../RouteContract.js";
import { ofF1r3nodeNodes } from "./asF1r3nodeRoute.js";
import { viewedBlock, viewOf } from "./f1r3nodeValues.js";

const blocks = { description: "List of blocks, each wrapped in an object.", schema: Type.Array(viewedBlock) };
const block = { description: "Block, with its deploys in the full view.", schema: viewedBlock };
const clamped = "A larger request is cut to `api-server.max-blocks-limit`.";
const versioned = { isVersioned: true };

/** `GET /api/blocks` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeNewestBlocksRoute = defineRoute({
  ...ofF1r3nodeNodes(newestBlocksRoute, versioned),
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/blocks/{depth}` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeBlocksRoute = defineRoute({
  ...ofF1r3nodeNodes(blocksRoute),
  description: clamped,
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/blocks/{start}/{end}` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeBlockSpanRoute = defineRoute({
  ...ofF1r3nodeNodes(blockSpanRoute),
  description: clamped,
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/last-finalized-block` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeLastFinalizedBlockRoute = defineRoute({
  ...ofF1r3nodeNodes(lastFinalizedBlockRoute),
  query: viewOf("full"),
  answer: block,
});

/** `GET /api/block/{hash}` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeBlockRoute = defineRoute({
  ...ofF1r3nodeNodes(blockRoute, { otherStatuses: [404], isVersioned: true }),
  query: viewOf("full"),
  answer: block,
});
