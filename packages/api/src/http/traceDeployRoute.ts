import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { defineRoute } from "./RouteContract.js";
import { hexBytes, int64, named, orNull } from "./scalars.js";

const source = named(
  "TraceSource",
  Type.Object(
    {
      kind: Type.Enum(["program", "system", "earlier"], {
        description:
          "`program`: a send or receive of this program; `system`: a built-in process; `earlier`: what another deploy left.",
      }),
      line: orNull(
        Type.Integer({ description: "Where it stands in the deploy's text, from 1; null where that is not certain." }),
      ),
      column: orNull(Type.Integer()),
    },
    { description: "Who did something." },
  ),
);
const texts = (description: string) => Type.Array(Type.Array(Type.String()), { description });

const step = named(
  "TraceStep",
  Type.Object({
    kind: Type.Enum(["produce", "consume", "comm"]),
    source,
    phlo: int64({ description: "Charged for this step; below 0 where more is given back." }),
    channels: Type.Array(Type.String({ description: "A name, as Rholang." })),
    data: texts("What is sent, or of a COMM what met: a list for each channel."),
    patterns: texts("What a consume waits for: a list for each channel."),
    isPersistent: Type.Boolean(),
    isPeek: Type.Boolean(),
    senders: Type.Array(source, { description: "Of a COMM: who sent what met, for each channel." }),
    receiver: orNull(source),
  }),
);

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
      cost: int64({ description: "Phlo, as the block says: the whole limit where the program failed." }),
      systemDeployError: Type.String({ description: "Why it could not pay; empty where it could." }),
      errors: Type.Array(
        Type.Object({
          class: Type.String(),
          text: Type.String(),
          line: orNull(Type.Integer()),
          column: orNull(Type.Integer()),
        }),
      ),
      parsingPhlo: int64(),
      otherPhlo: int64({ description: "For `new`, `match`, and what was begun when the phlo ran out." }),
      unfinished: Type.Array(Type.Object({ line: orNull(Type.Integer()), column: orNull(Type.Integer()) }), {
        description: "Sends and receives that began and came to no operation: where a program failed.",
      }),
      isCut: Type.Boolean({ description: "Whether there were more steps than are told." }),
      steps: Type.Array(step),
    }),
  },
  changes: "withChain",
  refusals: "problem",
  otherStatuses: [403, 404, 422, 503],
  examples: [{ name: "a deploy", params: { id: exampleChain.deployId } }],
});
