import * as Type from "typebox";
import { blockRoute, blockSpanRoute, blocksRoute, lastFinalizedBlockRoute, newestBlocksRoute } from "../blockRoutes.js";
import { defineRoute } from "../RouteContract.js";
import { viewedBlock, viewOf } from "./newerValues.js";
import { ofNewerNodes } from "./ofNewerNodes.js";

const blocks = { description: "Blocks, each in a member of its own.", schema: Type.Array(viewedBlock) };
const block = { description: "The block.", schema: viewedBlock };
const clamped = "Who asks for more than the node tells at once (`api-server.max-blocks-limit`) is told so many.";
const versioned = { isVersioned: true };

/** `GET /api/blocks` of the newer node. @spec 50 §10.3 */
export const newerNewestBlocksRoute = defineRoute({
  ...ofNewerNodes(newestBlocksRoute, versioned),
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/blocks/{depth}` of the newer node. @spec 50 §10.3 */
export const newerBlocksRoute = defineRoute({
  ...ofNewerNodes(blocksRoute),
  description: clamped,
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/blocks/{start}/{end}` of the newer node. @spec 50 §10.3 */
export const newerBlockSpanRoute = defineRoute({
  ...ofNewerNodes(blockSpanRoute),
  description: clamped,
  query: viewOf("summary"),
  answer: blocks,
});

/** `GET /api/last-finalized-block` of the newer node. @spec 50 §10.3 */
export const newerLastFinalizedBlockRoute = defineRoute({
  ...ofNewerNodes(lastFinalizedBlockRoute),
  query: viewOf("full"),
  answer: block,
});

/** `GET /api/block/{hash}` of the newer node. @spec 50 §10.3 */
export const newerBlockRoute = defineRoute({
  ...ofNewerNodes(blockRoute, { otherStatuses: [404], isVersioned: true }),
  query: viewOf("full"),
  answer: block,
});
