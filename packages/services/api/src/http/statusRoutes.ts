import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { apiStatus, status } from "./values.js";

const group = "Node";

/** `GET /status`. @spec 50 §1.4, §8.7 */
export const statusRoute = defineRoute({
  name: "status",
  method: "GET",
  paths: ["/status", "/status/"],
  group,
  summary: "Returns the status of the node, its peers and its sync progress.",
  answer: { description: "Status of the node and its sync progress.", schema: status },
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});

/** `GET /api/status`. @spec 50 §1.7 */
export const apiStatusRoute = defineRoute({
  name: "apiStatus",
  method: "GET",
  paths: ["/api/status"],
  group,
  summary: "Returns the status of the node and facts about its network.",
  answer: { description: "Status of the node and its network.", schema: apiStatus },
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});

/** `GET /version`. @spec 50 §1.4 */
export const versionRoute = defineRoute({
  name: "version",
  method: "GET",
  paths: ["/version", "/version/"],
  group,
  summary: "Returns the name and version of the node.",
  answer: { description: "One line of text.", type: "text/plain", schema: Type.String() },
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});

/** `GET /metrics`. @spec 50 §6.6 */
export const metricsRoute = defineRoute({
  name: "metrics",
  method: "GET",
  paths: ["/metrics", "/metrics/"],
  group,
  summary: "Returns the metrics of the node for Prometheus.",
  answer: { description: "Prometheus text format.", type: "text/plain", schema: Type.String() },
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});
