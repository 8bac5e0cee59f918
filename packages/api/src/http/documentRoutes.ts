import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";

/** `GET /openapi.json`: the description of all routes of a server. */
export const openApiRoute = defineRoute({
  name: "openApi",
  method: "GET",
  paths: ["/openapi.json"],
  group: "Node",
  summary: "This description, OpenAPI 3.1.",
  description: "Made from what the server checks requests by. /docs shows it.",
  answer: { description: "An OpenAPI document.", schema: Type.Object({ openapi: Type.Literal("3.1.0") }) },
  changes: "withChain",
  refusals: "problem",
  examples: [{ name: "the document" }],
});
