import * as Type from "typebox";
import { placedBlock } from "./accountRoutes.js";
import { defineRoute } from "./RouteContract.js";
import { int64 } from "./scalars.js";

/** Most heights that are told of at once. */
export const mostStatusHeights = 200;

/** `GET /v2/block-statuses?from=…&to=…`. @spec 50 §1.13 */
export const blockStatusesRoute = defineRoute({
  name: "blockStatuses",
  method: "GET",
  paths: ["/v2/block-statuses"],
  group: "Blocks",
  summary: "What became of the blocks of some heights.",
  description: `At most ${mostStatusHeights} heights; who asks for more is told of the first ones.`,
  query: Type.Object({
    from: int64({ minimum: 0, description: "The lowest height." }),
    to: int64({ minimum: 0, description: "The highest height." }),
  }),
  answer: {
    description: "The valid blocks of these heights, ascending.",
    schema: Type.Object({ blocks: Type.Array(placedBlock) }),
  },
  changes: "withChain",
  refusals: "problem",
  examples: [{ name: "the first heights", query: { from: "0", to: "5" } }],
});
