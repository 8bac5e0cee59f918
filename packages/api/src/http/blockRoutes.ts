import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64 } from "./scalars.js";
import { blockInfo, lightBlockInfo } from "./values.js";

const group = "Blocks";
const lightBlocks = { description: "Blocks without their deploys.", schema: Type.Array(lightBlockInfo) };
const blockHash = Type.Object({ hash: Type.String({ description: "Of the block, in hex; 64 digits." }) });

/** `GET /blocks`. @spec 50 §1.9, §8.7 */
export const newestBlocksRoute = defineRoute({
  name: "newestBlocks",
  method: "GET",
  paths: ["/api/blocks", "/blocks"],
  group,
  summary: "The newest blocks.",
  description: "All blocks of the greatest height.",
  answer: lightBlocks,
  changes: "withChain",
  refusals: "text",
  examples: [{ name: "newest" }],
});

/** `GET /blocks/{depth}`. @spec 50 §1.9 */
export const blocksRoute = defineRoute({
  name: "blocks",
  method: "GET",
  paths: ["/api/blocks/{depth}", "/blocks/{depth}"],
  group,
  summary: "The blocks of the greatest heights, the newest first.",
  params: Type.Object({ depth: int32({ description: "How many heights." }) }),
  answer: lightBlocks,
  changes: "withChain",
  refusals: "text",
  examples: [{ name: "three heights", params: { depth: "3" } }],
});

/** `GET /blocks/{start}/{end}`. @spec 50 §1.9 */
export const blockSpanRoute = defineRoute({
  name: "blockSpan",
  method: "GET",
  paths: ["/api/blocks/{start}/{end}", "/blocks/{start}/{end}"],
  group,
  summary: "The blocks of a span of heights, the oldest first.",
  params: Type.Object({
    start: int32({ description: "Lowest height." }),
    end: int32({ description: "Greatest height, included." }),
  }),
  answer: lightBlocks,
  changes: "withChain",
  refusals: "text",
  examples: [{ name: "the first eleven heights", params: { start: "0", end: "10" } }],
});

/** `GET /last-finalized-block`. @spec 50 §1.9 */
export const lastFinalizedBlockRoute = defineRoute({
  name: "lastFinalizedBlock",
  method: "GET",
  paths: ["/api/last-finalized-block", "/last-finalized-block"],
  group,
  summary: "The last finalized block with its deploys.",
  answer: { description: "The block.", schema: blockInfo },
  changes: "withChain",
  refusals: "text",
  examples: [{ name: "now" }],
});

/** `GET /block/{hash}`. @spec 50 §1.9 */
export const blockRoute = defineRoute({
  name: "block",
  method: "GET",
  paths: ["/api/block/{hash}", "/block/{hash}"],
  group,
  summary: "A block with its deploys.",
  params: Type.Object({
    hash: Type.String({ description: "Of the block, in hex, or its first digits (at least 6)." }),
  }),
  answer: { description: "The block.", schema: blockInfo },
  changes: "withChain",
  refusals: "text",
  examples: [
    { name: "by its hash", params: { hash: exampleChain.blockHash } },
    { name: "by its first digits", params: { hash: exampleChain.blockHash.slice(0, 10) } },
  ],
});

/** `GET /is-finalized/{hash}`. @spec 50 §1.9 */
export const isFinalizedRoute = defineRoute({
  name: "isFinalized",
  method: "GET",
  paths: ["/api/is-finalized/{hash}", "/is-finalized/{hash}"],
  group,
  summary: "Whether a block is finalized.",
  params: blockHash,
  answer: { description: "true or false; false too for unknown blocks.", schema: Type.Boolean() },
  changes: "withChain",
  refusals: "text",
  examples: [
    { name: "a finalized block", params: { hash: exampleChain.blockHash }, answer: true },
    { name: "an unknown block", params: { hash: "00".repeat(32) }, answer: false },
  ],
});

/** `GET /v2/block/{hash}/bytes`. @spec 50 §1.15 */
export const blockBytesRoute = defineRoute({
  name: "blockBytes",
  method: "GET",
  paths: ["/v2/block/{hash}/bytes"],
  group,
  summary: "A block as peers send it.",
  description: "With its event log and its system deploys; whoever hashes it needs not believe the node.",
  params: Type.Object({
    hash: Type.String({ description: "Of the block, in hex, or its first digits (at least 6)." }),
  }),
  answer: {
    description: "The bytes of the protobuf message `BlockMessage`.",
    schema: Type.Object({ blockHash: hexBytes(32), blockNumber: int64(), bytes: hexBytes() }),
  },
  changes: "never",
  refusals: "problem",
  examples: [{ name: "by its hash", params: { hash: exampleChain.blockHash } }],
});
