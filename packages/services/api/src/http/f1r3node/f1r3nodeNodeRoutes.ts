import { proposeRoute } from "../apiV1Routes.js";
import { isFinalizedRoute } from "../blockRoutes.js";
import { prepareDeployRoute, sequenceNumberRoute } from "../deployRoutes.js";
import { openApiRoute } from "../documentRoutes.js";
import { defineRoute } from "../RouteContract.js";
import { apiStatusRoute, statusRoute } from "../statusRoutes.js";
import { ofF1r3nodeNodes } from "./asF1r3nodeRoute.js";
import { f1r3nodeStatus } from "./f1r3nodeValues.js";

/** `GET /status` of f1r3node: the same as `/api/status`. @spec 50 §10.2 */
export const f1r3nodeRootStatusRoute = defineRoute({
  ...ofF1r3nodeNodes(statusRoute),
  answer: { description: "Same content as `/api/status`.", schema: f1r3nodeStatus },
});

/** `GET /api/status` of f1r3node. @spec 50 §10.2 */
export const f1r3nodeApiStatusRoute = ofF1r3nodeNodes(apiStatusRoute, { isVersioned: true });

/** `GET /api/is-finalized/{hash}` of f1r3node. @spec 50 §10.3 */
export const f1r3nodeIsFinalizedRoute = ofF1r3nodeNodes(isFinalizedRoute);

/** `GET /api/prepare-deploy` of f1r3node. @spec 50 §10.4 */
export const f1r3nodeSequenceNumberRoute = ofF1r3nodeNodes(sequenceNumberRoute);

/** `POST /api/prepare-deploy` of f1r3node. @spec 50 §10.4 */
export const f1r3nodePrepareDeployRoute = ofF1r3nodeNodes(prepareDeployRoute);

/** `GET /openapi.json`, where f1r3node has it too. @spec 50 §10.2 */
export const f1r3nodeOpenApiRoute = defineRoute({
  ...openApiRoute,
  paths: [openApiRoute.paths[0], "/api-docs/openapi.json", "/api/v1/openapi.json"],
});

/** `POST /api/propose` of f1r3node's operator: the text is no JSON. @spec 50 §10.2 */
export const f1r3nodeProposeRoute = defineRoute({
  ...ofF1r3nodeNodes(proposeRoute, { otherStatuses: [409, 500], isVersioned: true }),
  answer: { ...proposeRoute.answer, type: "text/plain" },
});
