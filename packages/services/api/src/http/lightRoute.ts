import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { explorationLimits } from "./explorationRoute.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64, orNull } from "./scalars.js";

const group = "Light clients";
const blockText = Type.String({ description: "Protobuf message `BlockMessageProto`, in hex." });

const placed = Type.Object({ blockHash: hexBytes(32), blockNumber: int64() });

/** `GET /v2/light/update?trusted=…`. @spec 70 §9 */
export const lightUpdateRoute = defineRoute({
  name: "lightUpdate",
  method: "GET",
  paths: ["/v2/light/update"],
  group,
  summary: "Returns blocks that prove to a client with one trusted block that a newer block is final.",
  description:
    "The client verifies the signatures and the finality rule itself (`@vedette/light`). `target` is the newest block that one step can prove. It is null if no block can be proved, for example on single-parent networks with validators that do not build on each other.",
  query: Type.Object({
    trusted: hexBytes(32, "Hash of the trusted block."),
    thresholdPpm: Type.Optional(
      int32({
        minimum: 0,
        maximum: 1_000_000,
        description:
          "Required fault tolerance in parts per million (default: `casper.fault-tolerance-threshold` of the node).",
      }),
    ),
    packed: Type.Optional(
      Type.Boolean({
        default: false,
        description: "Send the blocks packed against the trusted block (chapter 70 §4.6).",
      }),
    ),
  }),
  answer: {
    description: "Trusted block, proved block and the blocks of the proof.",
    schema: Type.Object({
      trusted: placed,
      target: orNull(placed),
      blocks: Type.Array(blockText),
      packed: Type.Optional(
        Type.String({
          description: "The update in packed form, in hex; then `blocks` is empty. Absent for large updates.",
        }),
      ),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [{ name: "from a block", query: { trusted: exampleChain.earlierBlockHash } }],
});

/** `GET /v2/light/checkpoint`. @spec 70 §10 */
export const lightCheckpointRoute = defineRoute({
  name: "lightCheckpoint",
  method: "GET",
  paths: ["/v2/light/checkpoint"],
  group,
  summary: "Returns a final block and the network's rules, for a light client that trusts this node once.",
  description: "Compare the checkpoints of several nodes at one height (`blockNumber`) before you trust one.",
  query: Type.Object({
    blockNumber: Type.Optional(
      int64({
        minimum: 0,
        description: "Height; the final block of the main chain at it, or at the next lower height that has one.",
      }),
    ),
  }),
  answer: {
    description: "The checkpoint.",
    schema: Type.Object({
      format: Type.Literal("vedette-checkpoint/1"),
      dialect: Type.Enum(["rnode", "f1r3node"]),
      shardId: Type.String(),
      blockHash: hexBytes(32),
      blockNumber: int64(),
      timestamp: int64({ description: "Unix milliseconds." }),
      thresholdPpm: int32({ description: "`casper.fault-tolerance-threshold`, in parts per million." }),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [{ name: "at a height", query: { blockNumber: "1" } }],
});

const from = hexBytes(32, "Hash of the verified block above.");
const pathAnswer = {
  description: "Blocks; the first is `from`, each is named as a parent by the one before it.",
  schema: Type.Object({ blocks: Type.Array(blockText) }),
};

/** `GET /v2/light/path`. @spec 70 §9 */
export const lightPathRoute = defineRoute({
  name: "lightPath",
  method: "GET",
  paths: ["/v2/light/path"],
  group,
  summary: "Returns the blocks that lead from a block down to one in its past.",
  description:
    "Give exactly one of `to` and `number`. With `number` the path follows main parents. At most 256 blocks and 16 MiB.",
  query: Type.Object({
    from,
    to: Type.Optional(hexBytes(32, "Hash of the block below.")),
    number: Type.Optional(
      int64({ minimum: 0, description: "Height; the path ends at it, or at the next lower block." }),
    ),
  }),
  answer: pathAnswer,
  changes: "never",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [
    {
      name: "from a block to an earlier one",
      query: { from: exampleChain.blockHash, to: exampleChain.earlierBlockHash },
    },
  ],
});

/** `GET /v2/light/deploy/{id}`. @spec 70 §9 */
export const lightDeployRoute = defineRoute({
  name: "lightDeploy",
  method: "GET",
  paths: ["/v2/light/deploy/{id}"],
  group,
  summary: "Returns the blocks that lead from a verified block down to the block of a deploy.",
  description: "The last block has the deploy with its outcome. At most 256 blocks and 16 MiB.",
  params: Type.Object({ id: hexBytes(undefined, "Signature of the deploy.") }),
  query: Type.Object({ from }),
  answer: pathAnswer,
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [404, 503],
  examples: [{ name: "a deploy", params: { id: exampleChain.deployId }, query: { from: exampleChain.blockHash } }],
});

const read = {
  block: hexBytes(32, "Hash of the verified block after which the state is read."),
  answer: {
    description: "Pieces in the order in which they are read, the root's node first.",
    schema: Type.Object({
      pieces: Type.Array(
        Type.Object({
          hash: hexBytes(32, "Hash by which the state's tree names the piece."),
          bytes: hexBytes(undefined, "Node or leaf."),
        }),
      ),
    }),
  },
  refusals: "problem",
} as const;
const pieceBound =
  "The client checks each piece by its hash. It runs the program itself, and requests missing pieces at `/v2/state-pieces`. At most 4 MiB of pieces.";

/** `GET /v2/light/registry/{uri}`. @spec 70 §7.5, §9.2 */
export const lightRegistryRoute = defineRoute({
  name: "lightRegistry",
  method: "GET",
  paths: ["/v2/light/registry/{uri}"],
  group,
  summary: "Returns the pieces of a state that prove what the registry has at a URI, or that it has nothing there.",
  description: `The look-up is a program of the state itself. ${pieceBound}`,
  params: Type.Object({ uri: Type.String({ description: "URI: `rho:id:…`, or the short form of a contract." }) }),
  query: Type.Object({ block: read.block }),
  answer: read.answer,
  changes: "never",
  refusals: read.refusals,
  otherStatuses: [404, 503],
  examples: [
    { name: "proof of stake", params: { uri: "rho:rchain:pos" }, query: { block: exampleChain.earlierBlockHash } },
  ],
});

/** `POST /v2/light/explore`. @spec 70 §7.4, §9.2 */
export const lightExploreRoute = defineRoute({
  name: "lightExplore",
  method: "POST",
  paths: ["/v2/light/explore"],
  group,
  summary: "Returns the pieces of a state that a program reads, for a client that runs the program itself.",
  description: `However the program ends here, the pieces that it has read are returned. ${pieceBound}`,
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ maxLength: explorationLimits.termCharacters, description: "Rholang program." }),
      block: read.block,
    }),
  },
  answer: read.answer,
  changes: "always",
  refusals: read.refusals,
  otherStatuses: [403, 404, 503],
  examples: [
    {
      name: "a program that reads nothing",
      body: { term: "new return in { return!(1) }", block: exampleChain.earlierBlockHash },
    },
  ],
});
