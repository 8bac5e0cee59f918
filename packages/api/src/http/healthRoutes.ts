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
  summary: "Whether the node runs at all.",
  answer: { description: "It runs.", schema: Type.Object({ status: Type.Literal("live") }) },
  changes: "always",
  refusals: "problem",
  examples: [{ name: "now", answer: { status: "live" } }],
});

/** What `/health/ready` tells. */
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
  summary: "Whether the node has caught up with its network.",
  description:
    "Status 200 while it follows its network or is at most three blocks behind the best of its peers, otherwise 503; the body says how far it has come. `maxLag` says instead for how many seconds a replica may not have been at the end of its stream; a node must follow then. While it is about to stop it is not ready, and says `draining`.",
  query: Type.Object({ maxLag: Type.Optional(int32({ minimum: 0, maximum: 86_400 })) }),
  answer: { description: "It follows.", schema: readiness },
  changes: "always",
  refusals: "problem",
  otherAnswers: { 503: { description: "It does not follow yet, or no longer.", schema: readiness } },
  examples: [{ name: "now" }],
});
