import * as Type from "typebox";
import { blockRoute, newestBlocksRoute } from "./blockRoutes.js";
import { deployRoute } from "./deployRoutes.js";
import { defineRoute } from "./RouteContract.js";
import { taggedRhoData } from "./stateRoutes.js";
import { apiStatusRoute } from "./statusRoutes.js";

const group = "Versioned";
const versioned = { group, refusals: "texts", otherStatuses: [500] } as const;

/** `GET /api/v1/status`. @spec 50 §1.10 */
export const apiV1StatusRoute = defineRoute({
  ...apiStatusRoute,
  ...versioned,
  name: "v1Status",
  paths: ["/api/v1/status"],
});

/** `GET /api/v1/blocks`. @spec 50 §1.10 */
export const apiV1BlocksRoute = defineRoute({
  ...newestBlocksRoute,
  ...versioned,
  name: "v1Blocks",
  paths: ["/api/v1/blocks"],
});

/** `GET /api/v1/block/{hash}`. @spec 50 §1.10 */
export const apiV1BlockRoute = defineRoute({
  ...blockRoute,
  ...versioned,
  name: "v1Block",
  paths: ["/api/v1/block/{hash}"],
});

/** `POST /api/v1/deploy`. @spec 50 §1.10 */
export const apiV1DeployRoute = defineRoute({
  ...deployRoute,
  ...versioned,
  otherStatuses: [500, 503],
  name: "v1Deploy",
  paths: ["/api/v1/deploy"],
});

/** `POST /api/v1/explore-deploy`: the program's text as a JSON string. @spec 50 §1.10 */
export const apiV1ExploreRoute = defineRoute({
  ...versioned,
  otherStatuses: [500, 503],
  name: "v1ExploreDeploy",
  method: "POST",
  paths: ["/api/v1/explore-deploy"],
  summary: "Runs a program on the last finalized state and returns the values that it sends on its first name.",
  body: { type: "application/json", schema: Type.String({ description: "Rholang program." }) },
  answer: taggedRhoData,
  changes: "always",
  examples: [{ name: "a sum", body: "new return in { return!(1 + 2) }" }],
});

/** `GET /api/v1/openapi.json`. @spec 50 §1.10 */
export const apiV1OpenApiRoute = defineRoute({
  ...versioned,
  name: "v1OpenApi",
  method: "GET",
  paths: ["/api/v1/openapi.json"],
  summary: "Returns the OpenAPI 3.0 description of the versioned API.",
  answer: { description: "OpenAPI document.", schema: Type.Unknown() },
  changes: "withChain",
  examples: [{ name: "the document" }],
});

/** `POST /api/v1/propose` of the operator's server; a GET in rnode, where any page can send it. @spec 50 §2.1 */
export const apiV1ProposeRoute = defineRoute({
  ...versioned,
  name: "v1Propose",
  method: "POST",
  paths: ["/api/v1/propose"],
  summary: "Proposes a block and waits for the result.",
  answer: { description: "Result of the proposal as text.", schema: Type.String() },
  changes: "always",
  examples: [],
});

/** `POST /api/propose` of the operator's server. @spec 50 §2.1 */
export const proposeRoute = defineRoute({
  ...apiV1ProposeRoute,
  group: "Operator",
  refusals: "text",
  otherStatuses: [],
  name: "propose",
  paths: ["/api/propose"],
});
