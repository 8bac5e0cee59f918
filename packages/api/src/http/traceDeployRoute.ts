import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { programTrace } from "./programTrace.js";
import { defineRoute } from "./RouteContract.js";
import { amount64, hexBytes, int64, orNull } from "./scalars.js";

/** `GET /v2/deploy/{id}/trace`. @spec 41 §8.5, 50 §1.13 */
export const traceDeployRoute = defineRoute({
  name: "traceDeploy",
  method: "GET",
  paths: ["/v2/deploy/{id}/trace"],
  group: "Reports",
  summary: "What a deploy did, step by step: produce, consume, COMM.",
  description:
    "Made by replaying the block up to the deploy. Paying and refund are not in it. `parsingPhlo`, the steps' phlo and `otherPhlo` add up to what the program used. A validator answers 403.",
  params: Type.Object({ id: Type.String({ maxLength: 400, description: "The deploy's signature, in hex." }) }),
  query: Type.Object({
    block: Type.Optional(
      Type.String({ description: "The hash of the block, or six digits of it; left out: the one that counts." }),
    ),
  }),
  answer: {
    description: "The steps in their order, at most 20,000.",
    schema: Type.Object({
      deployId: hexBytes(),
      block: Type.Object({ blockHash: hexBytes(32), blockNumber: int64() }),
      cost: amount64({ description: "Phlo, as the block says: the whole limit where the program failed." }),
      systemDeployError: Type.String({ description: "Why it could not pay; empty where it could." }),
      errors: Type.Array(
        Type.Object({
          class: Type.String(),
          text: Type.String(),
          line: orNull(Type.Integer()),
          column: orNull(Type.Integer()),
        }),
      ),
      ...programTrace,
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [403, 404, 422, 503],
  examples: [{ name: "a deploy", params: { id: exampleChain.deployId } }],
});
