import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64 } from "./scalars.js";
import { deployRequest, lightBlockInfo } from "./values.js";

const group = "Deploys";
const prepared = {
  description: "Names that the deploy will create, and the node's sequence number.",
  schema: Type.Object({ names: Type.Array(hexBytes(32)), seqNumber: int32() }),
};

/** `POST /deploy`. @spec 50 §1.9 */
export const deployRoute = defineRoute({
  name: "deploy",
  method: "POST",
  paths: ["/api/deploy", "/deploy"],
  group,
  summary: "Submits a signed deploy and returns its id.",
  description: "Only validators accept deploys; observers refuse them.",
  body: { type: "application/json", schema: deployRequest },
  answer: {
    description: "`Success! DeployId is: ` followed by the signature.",
    schema: Type.String({ pattern: "^Success! DeployId is: [0-9a-f]+$" }),
  },
  changes: "always",
  refusals: "text",
  otherStatuses: [503],
  examples: [],
});

/** `GET /deploy/{deployId}`. @spec 50 §1.9 */
export const deployBlockRoute = defineRoute({
  name: "deployBlock",
  method: "GET",
  paths: ["/api/deploy/{deployId}", "/deploy/{deployId}"],
  group,
  summary: "Returns the block that contains a deploy.",
  params: Type.Object({ deployId: Type.String({ description: "Signature of the deploy, in hex." }) }),
  answer: { description: "Block without its deploys.", schema: lightBlockInfo },
  changes: "withChain",
  refusals: "text",
  examples: [{ name: "a deploy", params: { deployId: exampleChain.deployId } }],
});

/** `GET /prepare-deploy`. @spec 50 §1.9 */
export const sequenceNumberRoute = defineRoute({
  name: "sequenceNumber",
  method: "GET",
  paths: ["/api/prepare-deploy", "/prepare-deploy"],
  group,
  summary: "Returns the node's sequence number as a validator.",
  answer: prepared,
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});

/** `POST /prepare-deploy`. @spec 50 §1.9 */
export const prepareDeployRoute = defineRoute({
  name: "prepareDeploy",
  method: "POST",
  paths: ["/api/prepare-deploy", "/prepare-deploy"],
  group,
  summary: "Returns the unforgeable names that a deploy will create.",
  body: {
    type: "application/json",
    schema: Type.Object({
      deployer: Type.String({ description: "Public key of the deployer, in hex." }),
      timestamp: int64({ description: "Unix time of the deploy in milliseconds." }),
      nameQty: int32({ description: "Number of names; the answer has at most 1,024." }),
    }),
  },
  answer: prepared,
  changes: "always",
  refusals: "text",
  examples: [
    { name: "three names", body: { deployer: exampleChain.publicKey, timestamp: 1_700_000_000_000n, nameQty: 3 } },
  ],
});
