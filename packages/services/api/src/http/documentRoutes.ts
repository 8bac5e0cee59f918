import * as Type from "typebox";
import { defineRoute } from "./RouteContract.js";

/** `GET /openapi.json`: the description of all routes of a server. */
export const openApiRoute = defineRoute({
  name: "openApi",
  method: "GET",
  paths: ["/openapi.json"],
  group: "Node",
  summary: "Returns this API description as OpenAPI 3.1.",
  description: "The server validates requests with the same contracts. `/docs` shows the description as pages.",
  answer: { description: "OpenAPI document.", schema: Type.Object({ openapi: Type.Literal("3.1.0") }) },
  changes: "withChain",
  refusals: "problem",
  examples: [{ name: "the document" }],
});
