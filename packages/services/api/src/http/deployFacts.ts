import type { Static } from "typebox";
import * as Type from "typebox";
import { amount64, named, orNull } from "./scalars.js";

/** How far an effect came. */
const outcome = named(
  "DeployEffectOutcome",
  Type.Enum(["done", "ran", "asked", "undone"], {
    description:
      "`done`: recorded by the node; `ran`: the program that requests it succeeded, but the effect itself is not confirmed; `asked`: the program has not run yet; `undone`: the state does not contain the effect.",
  }),
);
const address = orNull(Type.String({ description: "Address of a vault; null if the program computes it." }));
const amount = orNull(amount64({ description: "Amount in the smallest unit; null if the program computes it." }));
const target = {
  uri: orNull(
    Type.String({
      description: "URI of the registry or of a system process; null if the target is a name or unknown.",
    }),
  ),
  channel: orNull(Type.String({ description: "Public name, as Rholang." })),
};

/** One effect of a deploy, made or requested. @spec 50 §1.13 */
export const deployFact = named(
  "DeployFact",
  Type.Union([
    Type.Object({
      type: Type.Literal("failed"),
      reason: orNull(Type.String({ description: "Reason of the failure; null if unknown to this node." })),
      line: orNull(Type.Integer({ description: "Line in the program, from 1; null if the error has no position." })),
    }),
    Type.Object({
      type: Type.Literal("transfer"),
      from: address,
      to: address,
      amount,
      outcome,
      reason: orNull(Type.String({ description: "Reason given by the contract for `undone`." })),
    }),
    Type.Object({ type: Type.Literal("bond"), amount, outcome }),
    Type.Object({ type: Type.Literal("withdraw"), outcome }),
    Type.Object({ type: Type.Literal("publish"), ...target, outcome }),
    Type.Object({
      type: Type.Literal("call"),
      ...target,
      method: orNull(Type.String({ description: "First argument of the call, if it is a string." })),
      outcome,
    }),
    Type.Object({
      type: Type.Literal("other"),
      reason: Type.Enum(["tooLarge", "unreadable", "depends", "unrecognized"], {
        description:
          "`tooLarge`: the program, or a part of it, is too large to analyze; `unreadable`: it does not compile; `depends`: other effects depend on values outside the program; `unrecognized`: it has an effect of no other type.",
      }),
    }),
  ]),
);

/** One effect of a deploy, made or requested. */
export type DeployFact = Static<typeof deployFact>;
/** How far an effect came. */
export type DeployEffectOutcome = Static<typeof outcome>;
