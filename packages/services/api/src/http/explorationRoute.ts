import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { programTrace } from "./programTrace.js";
import { defineRoute } from "./RouteContract.js";
import { amount64, hexBytes, int32, int64, orNull } from "./scalars.js";
import { namedBlock, renderedTermSchema } from "./stateEntryRoutes.js";

/** The maximum limits of a program, and the default ones. @spec 50 §1.11 */
export const explorationLimits = {
  termCharacters: 1_048_576,
  phlo: { most: 1_000_000_000, usual: 100_000_000 },
  timeoutMs: { most: 20_000, usual: 5_000 },
  memoryMb: { most: 160, usual: 128 },
} as const;

const { phlo, timeoutMs, memoryMb, termCharacters } = explorationLimits;

/** `POST /v2/explore`. @spec 50 §1.11 */
export const explorationRoute = defineRoute({
  name: "explore",
  method: "POST",
  paths: ["/v2/explore"],
  group: "States and proofs",
  summary:
    "Runs a program on the state of any block, within limits, and returns the values that it sends on its first name.",
  description:
    "The state does not change. The program must be a single `new return, … in { … }`. Client addresses take turns; disconnecting stops the program.",
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ maxLength: termCharacters, description: "Rholang program." }),
      block: Type.Optional(
        Type.String({
          default: "finalized",
          description:
            "`latest` (the block that most of the stake builds on), `finalized`, or a block hash (at least its first 6 digits).",
        }),
      ),
      state: Type.Optional(
        Type.Enum(["post", "pre"], {
          default: "post",
          description: "State after (`post`) or before (`pre`) the block.",
        }),
      ),
      phloLimit: Type.Optional(int64({ minimum: 0, maximum: phlo.most, default: BigInt(phlo.usual) })),
      timeoutMs: Type.Optional(int32({ minimum: 1, maximum: timeoutMs.most, default: timeoutMs.usual })),
      memoryMb: Type.Optional(int32({ minimum: 1, maximum: memoryMb.most, default: memoryMb.usual })),
      bytes: Type.Optional(Type.Boolean({ default: false, description: "Add the bytes of each term." })),
      trace: Type.Optional(Type.Boolean({ default: false, description: "Add the steps of the program." })),
    }),
  },
  answer: {
    description: "Result of the program, and the state that it ran on.",
    schema: Type.Object({
      block: namedBlock,
      root: hexBytes(32, "Root of the state that the program ran on."),
      outcome: Type.Enum(["values", "failed", "stopped"], {
        description:
          "`values`: the program succeeded; `failed`: it has an error or ran out of phlo; `stopped`: it ran out of time or memory.",
      }),
      results: Type.Array(renderedTermSchema, { description: "Values sent on the first name of the program." }),
      error: orNull(Type.String()),
      cost: orNull(amount64({ description: "Cost in phlo; null if the program was stopped." })),
      prints: Type.Array(Type.Object({ stream: Type.Enum(["stdout", "stderr"]), text: Type.String() }), {
        description: "Output of the program: at most 64 texts of 1,000 characters.",
      }),
      arePrintsCut: Type.Boolean({ description: "True if the output exceeded the limits and was cut." }),
      trace: orNull(
        Type.Object(programTrace, {
          description: "At most 20,000 steps of the program; null if not requested, or if the program was stopped.",
        }),
      ),
    }),
  },
  changes: "always",
  refusals: "problem",
  otherStatuses: [403, 404, 503],
  examples: [
    { name: "two values", body: { term: "new return in { return!(1 + 2) | return!(`rho:x`) }" } },
    {
      name: "before a block, with a budget",
      body: {
        term: "new return, ack(`rho:block:data`) in { ack!(*return) }",
        block: exampleChain.earlierBlockHash,
        state: "pre",
        phloLimit: 10_000,
        timeoutMs: 500,
      },
    },
  ],
});
