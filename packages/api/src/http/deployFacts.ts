import type { Static } from "typebox";
import * as Type from "typebox";
import { amount64, named, orNull } from "./scalars.js";

/** How far an effect came. */
const outcome = named(
  "DeployEffectOutcome",
  Type.Enum(["done", "ran", "asked", "undone"], {
    description:
      "`done`: it is among what the node knows was moved; `ran`: the program that asks for it ran without an error, and whether it came about is not known; `asked`: no block that counts has run the program; `undone`: nothing of it is in the state.",
  }),
);
const address = orNull(Type.String({ description: "A vault; null where the program computes it." }));
const amount = orNull(amount64({ description: "In the smallest unit; null where the program computes it." }));
const target = {
  uri: orNull(
    Type.String({ description: "Of the registry or of the node; null where a name is meant, or it is not known." }),
  ),
  channel: orNull(Type.String({ description: "A name that anybody can write down, as Rholang." })),
};

/** One thing that a deploy did, or asked for. @spec 50 §1.13 */
export const deployFact = named(
  "DeployFact",
  Type.Union([
    Type.Object({
      type: Type.Literal("failed"),
      reason: orNull(Type.String({ description: "Null where this node cannot tell." })),
      line: orNull(Type.Integer({ description: "In the program, from 1; null where the error does not tell." })),
    }),
    Type.Object({
      type: Type.Literal("transfer"),
      from: address,
      to: address,
      amount,
      outcome,
      reason: orNull(Type.String({ description: "Why it is `undone`, as the contract said." })),
    }),
    Type.Object({ type: Type.Literal("bond"), amount, outcome }),
    Type.Object({ type: Type.Literal("withdraw"), outcome }),
    Type.Object({ type: Type.Literal("publish"), ...target, outcome }),
    Type.Object({
      type: Type.Literal("call"),
      ...target,
      method: orNull(Type.String({ description: "The text that the call begins with." })),
      outcome,
    }),
    Type.Object({
      type: Type.Literal("other"),
      reason: Type.Enum(["tooLarge", "unreadable", "depends", "unrecognized"], {
        description:
          "`tooLarge`: the program, or a part of it, is not looked at; `unreadable`: it does not compile; `depends`: what else it does depends on values that are not in it; `unrecognized`: it does something that has no words here.",
      }),
    }),
  ]),
);

/** One thing that a deploy did, or asked for. */
export type DeployFact = Static<typeof deployFact>;
/** How far an effect came. */
export type DeployEffectOutcome = Static<typeof outcome>;
