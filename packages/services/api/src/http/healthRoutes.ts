import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";
import { int32, named } from "./scalars.js";
import { syncStatus } from "./values.js";

const group = "Node";

/** `GET /health/live`. @spec 50 §6.7 */
export const liveRoute = defineRoute({
  name: "live",
  method: "GET",
  paths: ["/health/live"],
  group,
  summary: "Returns status 200 while the process runs.",
  answer: { description: "The process runs.", schema: Type.Object({ status: Type.Literal("live") }) },
  changes: "always",
  refusals: "problem",
  examples: [{ name: "now", answer: { status: "live" } }],
});

/** The response of `/health/ready`. */
export const readiness = named(
  "Readiness",
  Type.Object({ status: Type.Enum(["ready", "notReady", "draining"]), syncStatus }),
);

/** `GET /health/ready`. @spec 50 §6.7 */
export const readyRoute = defineRoute({
  name: "ready",
  method: "GET",
  paths: ["/health/ready"],
  group,
  summary: "Returns whether the node is in sync with its network.",
  description:
    "The status is 200 while the node follows its network or is at most three blocks behind its best peer, otherwise 503. The body has the progress. With `maxLag`, a node must follow; a replica must have reached the end of its stream within that many seconds. A node that is stopping answers 503 with `draining`.",
  query: Type.Object({ maxLag: Type.Optional(int32({ minimum: 0, maximum: 86_400 })) }),
  answer: { description: "The node is ready.", schema: readiness },
  changes: "always",
  refusals: "problem",
  otherAnswers: { 503: { description: "The node is not ready.", schema: readiness } },
  examples: [{ name: "now" }],
});
