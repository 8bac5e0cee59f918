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
  summary: "Returns the steps of a deploy: each produce, consume and COMM.",
  description:
    "The node replays the block up to the deploy. Payment and refund are not included. `parsingPhlo`, the phlo of the steps and `otherPhlo` add up to the phlo of the program. Validators answer with status 403.",
  params: Type.Object({ id: Type.String({ maxLength: 400, description: "Signature of the deploy, in hex." }) }),
  query: Type.Object({
    block: Type.Optional(
      Type.String({
        description:
          "Block hash, or at least its first 6 digits (default: the block that decides the status of the deploy).",
      }),
    ),
  }),
  answer: {
    description: "At most 20,000 steps, in order.",
    schema: Type.Object({
      deployId: hexBytes(),
      block: Type.Object({ blockHash: hexBytes(32), blockNumber: int64() }),
      cost: amount64({ description: "Cost in phlo, as in the block; equal to the phlo limit if the program failed." }),
      systemDeployError: Type.String({ description: "Reason why the deployer could not pay; otherwise empty." }),
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
