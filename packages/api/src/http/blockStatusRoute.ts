import * as Type from "typebox";
import { placedBlock } from "./accountRoutes.js";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { int64 } from "./scalars.js";

/** Most heights that are told of at once. */
export const maxStatusHeights = 200;
/** Most blocks that are found by the first digits of their hashes. */
export const maxStatusHashes = 8;

/** `GET /v2/block-statuses?from=…&to=…` or `?hash=…`. @spec 50 §1.13 */
export const blockStatusesRoute = defineRoute({
  name: "blockStatuses",
  method: "GET",
  paths: ["/v2/block-statuses"],
  group: "Blocks",
  summary: "What became of the blocks of some heights, or of those whose hash begins so.",
  description: `Name \`from\` and \`to\`, or \`hash\`. At most ${maxStatusHeights} heights; who asks for more gets the first ones. Of a hash at most ${maxStatusHashes} blocks; none is no error.`,
  query: Type.Object({
    from: Type.Optional(int64({ minimum: 0, description: "The lowest height." })),
    to: Type.Optional(int64({ minimum: 0, description: "The highest height." })),
    hash: Type.Optional(
      Type.String({
        minLength: 6,
        maxLength: 64,
        description: "Six digits of a hash at least, its first ones, in hex.",
      }),
    ),
  }),
  answer: {
    description: "The valid blocks, ascending by height.",
    schema: Type.Object({ blocks: Type.Array(placedBlock) }),
  },
  changes: "withChain",
  refusals: "problem",
  examples: [
    { name: "the first heights", query: { from: "0", to: "5" } },
    { name: "by the first digits", query: { hash: exampleChain.blockHash.slice(0, 6) } },
  ],
});
