import * as Type from "typebox";
import { deployBlockRoute, deployRoute } from "../deployRoutes.js";
import { exampleChain } from "../exampleChain.js";
import { defineRoute } from "../RouteContract.js";
import { hexBytes, int32, int64 } from "../scalars.js";
import { deployTransfers } from "../values.js";
import { ofF1r3nodeNodes } from "./asF1r3nodeRoute.js";
import { answeredAt, viewOf } from "./f1r3nodeValues.js";

/** The finalization state of a deploy. @spec 50 §1.14 */
export const finalizationState = Type.Enum(["Finalized", "Failed", "Pending", "Expired"]);

const ofFullView = "Public key of the deployer. This and the following fields exist only in the full view.";

/** `POST /api/deploy` of f1r3node. @spec 50 §10.4 */
export const f1r3nodeDeployRoute = defineRoute({
  ...ofF1r3nodeNodes(deployRoute, { isVersioned: true }),
  answer: {
    description: "`Success!`, a newline, `DeployId is: ` and the signature.",
    schema: Type.String({ pattern: "^Success!\\nDeployId is: [0-9a-f]+$" }),
  },
});

/** `GET /api/deploy/{deployId}` of f1r3node. @spec 50 §10.4 */
export const deployDetailRoute = defineRoute({
  ...ofF1r3nodeNodes(deployBlockRoute, { otherStatuses: [404] }),
  name: "deployDetail",
  summary: "Returns a deploy and its result in its block.",
  query: viewOf("full"),
  answer: {
    description: "Deploy in the block that decides its status.",
    schema: Type.Object({
      deployId: hexBytes(),
      blockHash: answeredAt.blockHash,
      blockNumber: answeredAt.blockNumber,
      timestamp: int64({ description: "Unix time of the block in milliseconds." }),
      cost: int64(),
      errored: Type.Boolean(),
      isFinalized: Type.Boolean({
        description: "True if the block is finalized; `finalizationState` is the state of the deploy.",
      }),
      finalizationState,
      rejectionCount: int32({ description: "Number of merges that rejected the deploy." }),
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
