import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { int64, orNull } from "./scalars.js";
import { apiStatus, peer, status } from "./values.js";

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

/** `GET /v2/peers`. @spec 50 §1.15 */
export const peersRoute = defineRoute({
  name: "peers",
  method: "GET",
  paths: ["/v2/peers"],
  group,
  summary: "Returns the known peers, with the version and the height that each of them reports.",
  description:
    "Both come from messages that peers send anyway. Nodes of other makes announce no version. Heights count valid blocks of this node only.",
  answer: {
    description: "The peers of the discovery table.",
    schema: Type.Object({
      peers: Type.Array(
        Type.Object({
          ...peer.properties,
          version: orNull(Type.String({ description: "Version that the peer announces; null if it announces none." })),
          blockNumber: orNull(
            int64({
              description: "Height of the highest block that the peer has named or sent; null if there is none.",
            }),
          ),
        }),
      ),
    }),
  },
  changes: "always",
  refusals: "problem",
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
