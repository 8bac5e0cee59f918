import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";

/** `POST /v2/feed` on the operator's port. @spec 60 §8 */
export const feedRoute = defineRoute({
  name: "feed",
  method: "POST",
  paths: ["/v2/feed"],
  group: "Operator",
  summary: "Returns chain data for an index in another process (`vedette index`).",
  description: "The format is internal and may change with each version. Other programs use `/v2/events`.",
  body: {
    type: "application/json",
    schema: Type.Object({
      method: Type.Enum(["about", "top", "blocks", "changes", "balances", "notes", "registrations", "verdicts"]),
      argument: Type.Optional(Type.Unknown()),
    }),
  },
  answer: {
    description: "Chain data for the index.",
    schema: Type.Object({ result: Type.Optional(Type.Unknown()) }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "where the chain stands", body: { method: "top" } }],
});
