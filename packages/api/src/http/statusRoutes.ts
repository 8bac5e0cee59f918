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
  summary: "The node, its peers, and how far it has come.",
  answer: { description: "Status of the node.", schema: status },
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
  summary: "The node and its network.",
  answer: { description: "Status of the node, with facts of its network.", schema: apiStatus },
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
  summary: "The node's name and version.",
  answer: { description: "A line of text.", type: "text/plain", schema: Type.String() },
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
  summary: "Numbers for Prometheus.",
  answer: { description: "Prometheus' text form.", type: "text/plain", schema: Type.String() },
  changes: "always",
  refusals: "text",
  examples: [{ name: "now" }],
});
