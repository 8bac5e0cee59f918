import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { explorationLimits } from "./explorationRoute.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64, orNull } from "./scalars.js";

const { phlo, timeoutMs, memoryMb } = explorationLimits;
const group = "Deploys";

/** `POST /estimate-cost`, as f1r3node nodes have it. @spec 50 §1.14 */
export const estimateCostRoute = defineRoute({
  name: "estimateCost",
  method: "POST",
  paths: ["/api/estimate-cost", "/estimate-cost"],
  group,
  summary: "Returns the cost that a program would have as a deploy.",
  description: `The program runs on the last finalized state or on the state of \`block_hash\`, without changing it. Limits: ${phlo.usual} phlo, ${timeoutMs.usual} ms and ${memoryMb.usual} MB. Validators refuse this request.`,
  query: Type.Object({ block_hash: Type.Optional(Type.String({ description: "Block hash in hex." })) }),
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ description: "Rholang program." }),
      deployer: Type.Optional(
        orNull(
          Type.String({
            description:
              "Public key of the deployer: 130 hex digits. Without it an unused key is the deployer; its transfers fail and therefore cost less.",
          }),
        ),
      ),
    }),
  },
  answer: {
    description: "Estimated cost, without the charge for storing the deploy.",
    schema: Type.Object({
      cost: int64({ description: "Cost in phlo." }),
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

/** `GET /deploy-finalization-status/{signature}`, as f1r3node nodes have it. @spec 50 §1.14 */
export const deployFinalizationRoute = defineRoute({
  name: "deployFinalization",
  method: "GET",
  paths: ["/api/deploy-finalization-status/{signature}", "/deploy-finalization-status/{signature}"],
  group,
  summary: "Returns the finalization state of a deploy.",
  description: "`/v2/deploy/{id}` returns more details.",
  params: Type.Object({
    signature: Type.String({ description: "Signature of the deploy, in hex, with optional `0x` prefix." }),
  }),
  answer: {
    description: "Finalization state; unknown deploys are `Pending`.",
    schema: Type.Object({
      state: Type.Enum(["Finalized", "Failed", "Pending", "Expired"], {
        description:
          "`Finalized`: the effects are in the final state; `Failed`: it failed in a final block and no other block can execute it; `Expired`: no block can execute it any more; `Pending`: undecided, also after a failure that may not be final.",
      }),
      rejection_count: int32({ description: "Number of rejections by merges that are recorded in blocks." }),
      latest_block_hash: orNull(
        hexBytes(
          32,
          "Hash of the highest block that contains the deploy or, while it is `Pending`, a record of its rejection.",
        ),
      ),
    }),
  },
  changes: "withChain",
  refusals: "kind",
  otherStatuses: [503],
  examples: [{ name: "a deploy", params: { signature: exampleChain.deployId } }],
});
