import * as Type from "typebox";
import { exampleChain } from "./exampleChain.js";
import { programTrace } from "./programTrace.js";
import { defineRoute } from "./RouteContract.js";
import { amount64, hexBytes, int32, int64, orNull } from "./scalars.js";
import { namedBlock, reportedTermSchema } from "./stateEntryRoutes.js";

/** What a program may use at most, and what it may when nothing is said. @spec 50 §1.11 */
export const explorationLimits = {
  phlo: { most: 1_000_000_000, usual: 100_000_000 },
  timeoutMs: { most: 20_000, usual: 5_000 },
  memoryMb: { most: 160, usual: 128 },
} as const;

const { phlo, timeoutMs, memoryMb } = explorationLimits;

/** `POST /v2/explore`. @spec 50 §1.11 */
export const explorationRoute = defineRoute({
  name: "explore",
  method: "POST",
  paths: ["/v2/explore"],
  group: "States and proofs",
  summary: "Runs a program on the state of any block, within a budget, and tells what it sends on its first name.",
  description:
    "Nothing is kept. The program is a single `new return, … in { … }`. Programs run in turns, one address after the other; a client that disconnects ends its program.",
  body: {
    type: "application/json",
    schema: Type.Object({
      term: Type.String({ maxLength: 1_048_576, description: "The program." }),
      block: Type.Optional(
        Type.String({
          default: "finalized",
          description:
            "`latest` (the block that most of the stake builds on; of several side by side it is one), `finalized`, or the hash of a block, of which six digits do.",
        }),
      ),
      state: Type.Optional(Type.Enum(["post", "pre"], { default: "post", description: "After or before the block." })),
      phloLimit: Type.Optional(int64({ minimum: 0, maximum: phlo.most, default: BigInt(phlo.usual) })),
      timeoutMs: Type.Optional(int32({ minimum: 1, maximum: timeoutMs.most, default: timeoutMs.usual })),
      memoryMb: Type.Optional(int32({ minimum: 1, maximum: memoryMb.most, default: memoryMb.usual })),
      bytes: Type.Optional(Type.Boolean({ default: false, description: "Whether terms are told as bytes too." })),
      trace: Type.Optional(Type.Boolean({ default: false, description: "Whether the program's steps are told." })),
    }),
  },
  answer: {
    description: "How the program ended, and on which state it ran.",
    schema: Type.Object({
      block: namedBlock,
      root: hexBytes(32, "The state root."),
      outcome: Type.Enum(["values", "failed", "stopped"], {
        description:
          "`failed`: the program has an error, or used its phlo up; `stopped`: its time or its memory was used up.",
      }),
      results: Type.Array(reportedTermSchema, { description: "What was sent on the program's first name." }),
      error: orNull(Type.String()),
      cost: orNull(amount64({ description: "Phlo; null where the program was stopped." })),
      prints: Type.Array(Type.Object({ stream: Type.Enum(["stdout", "stderr"]), text: Type.String() }), {
        description: "What it wrote, at most 64 texts of 1,000 characters.",
      }),
      arePrintsCut: Type.Boolean({ description: "Whether it wrote more." }),
      trace: orNull(
        Type.Object(programTrace, {
          description: "What it did, at most 20,000 steps; null where that was not asked for, or it was stopped.",
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
