import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";

/** `POST /v2/feed` on the operator's port. @spec 60 §8 */
export const feedRoute = defineRoute({
  name: "feed",
  method: "POST",
  paths: ["/v2/feed"],
  group: "Operator",
  summary: "Tells the chain to an index in another process (`vedette index`).",
  description: "Its form belongs to this version of Vedette. Programs of others follow `/v2/events`.",
  body: {
    type: "application/json",
    schema: Type.Object({
      method: Type.Enum(["about", "top", "blocks", "changes", "balances", "notes", "registrations", "verdicts"]),
      argument: Type.Optional(Type.Unknown()),
    }),
  },
  answer: {
    description: "What the index is made from.",
    schema: Type.Object({ result: Type.Optional(Type.Unknown()) }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [503],
  examples: [{ name: "where the chain stands", body: { method: "top" } }],
});
