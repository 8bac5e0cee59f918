import * as Type from "typebox";
import { deployBlockRoute, deployRoute } from "../deployRoutes.js";
import { exampleChain } from "../exampleChain.js";
import { defineRoute } from "../RouteContract.js";
import { hexBytes, int32, int64 } from "../scalars.js";
import { deployTransfers } from "../values.js";
import { ofF1r3nodeNodes } from "./asF1r3nodeRoute.js";
import { answeredAt, viewOf } from "./f1r3nodeValues.js";

/** Of a deploy. @spec 50 §1.14 */
export const finalizationState = Type.Enum(["Finalized", "Failed", "Pending", "Expired"]);

const ofFullView = "Of the full view alone, as those after it.";

/** `POST /api/deploy` of the newer node. @spec 50 §10.4 */
export const f1r3nodeDeployRoute = defineRoute({
  ...ofF1r3nodeNodes(deployRoute, { isVersioned: true }),
  answer: {
    description: "`Success!`, a new line, `DeployId is: ` and the signature.",
    schema: Type.String({ pattern: "^Success!\\nDeployId is: [0-9a-f]+$" }),
  },
});

/** `GET /api/deploy/{deployId}` of the newer node. @spec 50 §10.4 */
export const deployDetailRoute = defineRoute({
  ...ofF1r3nodeNodes(deployBlockRoute, { otherStatuses: [404] }),
  name: "deployDetail",
  summary: "A deploy, and what came of it in its block.",
  query: viewOf("full"),
  answer: {
    description: "The deploy in the block that counts.",
    schema: Type.Object({
      deployId: hexBytes(),
      blockHash: answeredAt.blockHash,
      blockNumber: answeredAt.blockNumber,
      timestamp: int64({ description: "Of the block, in milliseconds since 1970." }),
      cost: int64(),
      errored: Type.Boolean(),
      isFinalized: Type.Boolean({ description: "Whether the block is; `finalizationState` tells of the deploy." }),
      finalizationState,
      rejectionCount: int32({ description: "Merges that gave it up." }),
      deployer: Type.Optional(hexBytes(undefined, ofFullView)),
      term: Type.Optional(Type.String()),
      systemDeployError: Type.Optional(Type.String()),
      phloPrice: Type.Optional(int64()),
      phloLimit: Type.Optional(int64()),
      sigAlgorithm: Type.Optional(Type.String()),
      validAfterBlockNumber: Type.Optional(int64()),
      transfers: deployTransfers,
    }),
  },
  examples: [
    { name: "a deploy", params: { deployId: exampleChain.deployId } },
    { name: "in short", params: { deployId: exampleChain.deployId }, query: { view: "summary" } },
  ],
});
