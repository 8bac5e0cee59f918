import { proposeRoute } from "../apiV1Routes.js";
import { isFinalizedRoute } from "../blockRoutes.js";
import { prepareDeployRoute, sequenceNumberRoute } from "../deployRoutes.js";
import { openApiRoute } from "../documentRoutes.js";
import { defineRoute } from "../RouteContract.js";
import { apiStatusRoute, statusRoute } from "../statusRoutes.js";
import { newerStatus } from "./newerValues.js";
import { ofNewerNodes } from "./ofNewerNodes.js";

/** `GET /status` of the newer node: the same as `/api/status`. @spec 50 §10.2 */
export const newerRootStatusRoute = defineRoute({
  ...ofNewerNodes(statusRoute),
  answer: { description: "As /api/status.", schema: newerStatus },
});

/** `GET /api/status` of the newer node. @spec 50 §10.2 */
export const newerApiStatusRoute = ofNewerNodes(apiStatusRoute, { isVersioned: true });

/** `GET /api/is-finalized/{hash}` of the newer node. @spec 50 §10.3 */
export const newerIsFinalizedRoute = ofNewerNodes(isFinalizedRoute);

/** `GET /api/prepare-deploy` of the newer node. @spec 50 §10.4 */
export const newerSequenceNumberRoute = ofNewerNodes(sequenceNumberRoute);

/** `POST /api/prepare-deploy` of the newer node. @spec 50 §10.4 */
export const newerPrepareDeployRoute = ofNewerNodes(prepareDeployRoute);

/** `GET /openapi.json`, where the newer node has it too. @spec 50 §10.2 */
export const newerOpenApiRoute = defineRoute({
  ...openApiRoute,
  paths: [openApiRoute.paths[0], "/api-docs/openapi.json", "/api/v1/openapi.json"],
});

/** `POST /api/propose` of the newer node's operator: the text is no JSON. @spec 50 §10.2 */
export const newerProposeRoute = defineRoute({
  ...ofNewerNodes(proposeRoute, { otherStatuses: [409, 500], isVersioned: true }),
  answer: { ...proposeRoute.answer, type: "text/plain" },
});
