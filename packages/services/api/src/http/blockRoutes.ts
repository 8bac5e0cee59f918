import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64 } from "./scalars.js";
import { blockInfo, lightBlockInfo } from "./values.js";

const group = "Blocks";
const lightBlocks = { description: "List of blocks without their deploys.", schema: Type.Array(lightBlockInfo) };
const blockHash = Type.Object({ hash: Type.String({ description: "Block hash: 64 hex digits." }) });

/** `GET /blocks`. @spec 50 §1.9, §8.7 */
export const newestBlocksRoute = defineRoute({
  name: "newestBlocks",
  method: "GET",
  paths: ["/api/blocks", "/blocks"],
  group,
  summary: "Returns the newest blocks.",
  description: "These are all blocks at the highest height.",
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
  summary: "Returns the blocks at the highest heights, newest first.",
  params: Type.Object({ depth: int32({ description: "Number of heights." }) }),
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
  summary: "Returns the blocks in a range of heights, oldest first.",
  params: Type.Object({
    start: int32({ description: "Lowest height of the range." }),
    end: int32({ description: "Highest height of the range, inclusive." }),
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
  summary: "Returns the last finalized block with its deploys.",
  answer: { description: "Block with its deploys.", schema: blockInfo },
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
  summary: "Returns a block with its deploys.",
  params: Type.Object({
    hash: Type.String({ description: "Block hash in hex, or at least its first 6 digits." }),
  }),
  answer: { description: "Block with its deploys.", schema: blockInfo },
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
  summary: "Returns whether a block is finalized.",
  params: blockHash,
  answer: { description: "`true` if finalized; `false` if not, or if the block is unknown.", schema: Type.Boolean() },
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
  summary: "Returns a block in the form that peers exchange.",
  description:
    "The bytes include the event log and the system deploys. Clients can verify the block by its hash without trusting the node.",
  params: Type.Object({
    hash: Type.String({ description: "Block hash in hex, or at least its first 6 digits." }),
  }),
  answer: {
    description: "Bytes of the protobuf message `BlockMessage`, in hex.",
    schema: Type.Object({ blockHash: hexBytes(32), blockNumber: int64(), bytes: hexBytes() }),
  },
  changes: "never",
  refusals: "problem",
  examples: [{ name: "by its hash", params: { hash: exampleChain.blockHash } }],
});
