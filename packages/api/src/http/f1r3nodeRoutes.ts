import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { explorationLimits } from "./explorationRoute.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64, orNull } from "./scalars.js";

const { phlo, timeoutMs, memoryMb } = explorationLimits;
const group = "Deploys";

/** `POST /estimate-cost`, as nodes of the newer dialect have it. @spec 50 §1.14 */
export const estimateCostRoute = defineRoute({
  name: "estimateCost",
  method: "POST",
  paths: ["/api/estimate-cost", "/estimate-cost"],
  group,
  summary: "What a program would cost as a deploy.",
  description: `It is run on the last finalized state, or on that of the block that is named, and leaves no trace; with at most ${phlo.usual} phlo, ${timeoutMs.usual} ms and ${memoryMb.usual} MB. Only nodes that are no validators do it.`,
  query: Type.Object({ block_hash: Type.Optional(Type.String({ description: "Hash of a block, in hex." })) }),
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ description: "The program." }),
      deployer: Type.Optional(
        orNull(
          Type.String({
            description:
              "Public key (130 digits) that the program sees as its deployer's; without it nobody's, for which for instance transfers cost less, since they fail.",
          }),
        ),
      ),
    }),
  },
  answer: {
    description: "The cost, without what is paid for the deploy's keeping.",
    schema: Type.Object({
      cost: int64({ description: "Phlo." }),
      blockNumber: int64(),
      blockHash: hexBytes(32),
      deployerIdentity: Type.Enum(["provided", "ephemeral"]),
    }),
  },
  changes: "always",
  refusals: "kind",
  otherStatuses: [404, 415, 422, 503, 504],
  examples: [
    { name: "a send", body: { term: "new x in { x!(1 + 1) }" } },
    { name: "of a deployer", body: { term: "Nil", deployer: exampleChain.publicKey } },
  ],
});

/** `GET /deploy-finalization-status/{signature}`, as nodes of the newer dialect have it. @spec 50 §1.14 */
export const deployFinalizationRoute = defineRoute({
  name: "deployFinalization",
  method: "GET",
  paths: ["/api/deploy-finalization-status/{signature}", "/deploy-finalization-status/{signature}"],
  group,
  summary: "Whether what a deploy did is final.",
  description: "`/v2/deploy/{id}` tells more.",
  params: Type.Object({
    signature: Type.String({ description: "The deploy's signature, in hex, with or without `0x` in front." }),
  }),
  answer: {
    description: "What is known here; a deploy that nobody knows is `Pending`.",
    schema: Type.Object({
      state: Type.Enum(["Finalized", "Failed", "Pending", "Expired"], {
        description:
          "`Finalized`: what it did is in the final state; when no block can bring it there any more, `Failed` where it failed in a final block, else `Expired`; `Pending`: all else, also a deploy that failed, until that is decided.",
      }),
      rejection_count: int32({ description: "Records in blocks of merges that gave it up." }),
      latest_block_hash: orNull(
        hexBytes(32, "The highest block that has it; while it is `Pending`, or a record that it was given up."),
      ),
    }),
  },
  changes: "withChain",
  refusals: "kind",
  otherStatuses: [503],
  examples: [{ name: "a deploy", params: { signature: exampleChain.deployId } }],
});
