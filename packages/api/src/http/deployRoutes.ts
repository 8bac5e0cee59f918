import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int32, int64 } from "./scalars.js";
import { deployRequest, lightBlockInfo } from "./values.js";

const group = "Deploys";
const prepared = {
  description: "Names that the deploy will make, and the node's own sequence number.",
  schema: Type.Object({ names: Type.Array(hexBytes(32)), seqNumber: int32() }),
};

/** `POST /deploy`. @spec 50 §1.9 */
export const deployRoute = defineRoute({
  name: "deploy",
  method: "POST",
  paths: ["/api/deploy", "/deploy"],
  group,
  summary: "Hands in a signed deploy.",
  description: "Only a validator takes deploys; an observer refuses them.",
  body: { type: "application/json", schema: deployRequest },
  answer: {
    description: "`Success! DeployId is: ` and the signature.",
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
  summary: "The block that a deploy is in.",
  params: Type.Object({ deployId: Type.String({ description: "The deploy's signature, in hex." }) }),
  answer: { description: "The block, without its deploys.", schema: lightBlockInfo },
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
  summary: "The node's own sequence number.",
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
  summary: "The unforgeable names that a deploy will make.",
  body: {
    type: "application/json",
    schema: Type.Object({
      deployer: Type.String({ description: "Public key, in hex." }),
      timestamp: int64({ description: "Of the deploy, in milliseconds since 1970." }),
      nameQty: int32({ description: "How many names; at most 1024 are told." }),
    }),
  },
  answer: prepared,
  changes: "always",
  refusals: "text",
  examples: [
    { name: "three names", body: { deployer: exampleChain.publicKey, timestamp: 1_700_000_000_000n, nameQty: 3 } },
  ],
});
