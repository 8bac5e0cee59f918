import * as Type from "typebox";
import { placedBlock } from "./accountRoutes.js";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { int64 } from "./scalars.js";

/** Most heights in one response. */
export const maxStatusHeights = 200;
/** Most blocks that are found by the first digits of their hashes. */
export const maxStatusHashes = 8;

/** `GET /v2/block-statuses?from=…&to=…` or `?hash=…`. @spec 50 §1.13 */
export const blockStatusesRoute = defineRoute({
  name: "blockStatuses",
  method: "GET",
  paths: ["/v2/block-statuses"],
  group: "Blocks",
  summary: "Returns the status of the blocks in a range of heights, or with a hash prefix.",
  description: `Send \`from\` and \`to\`, or \`hash\`. A longer range is cut to its first ${maxStatusHeights} heights. A hash prefix returns up to ${maxStatusHashes} blocks; if none match, the list is empty.`,
  query: Type.Object({
    from: Type.Optional(int64({ minimum: 0, description: "Lowest height of the range." })),
    to: Type.Optional(int64({ minimum: 0, description: "Highest height of the range, inclusive." })),
    hash: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 64,
        description: "Block hash in hex, or at least its first 6 digits.",
      }),
    ),
  }),
  answer: {
    description: "Valid blocks in ascending height.",
    schema: Type.Object({ blocks: Type.Array(placedBlock) }),
  },
  changes: "withChain",
  refusals: "problem",
  examples: [
    { name: "the first heights", query: { from: "0", to: "5" } },
    { name: "by the first digits", query: { hash: exampleChain.blockHash.slice(0, 6) } },
  ],
});
