import * as Type from "typebox";
import { amount64, named, orNull } from "./scalars.js";

const source = named(
  "TraceSource",
  Type.Object(
    {
      kind: Type.Enum(["program", "system", "earlier"], {
        description:
          "`program`: a send or receive of this program; `system`: a built-in process; `earlier`: left by an earlier deploy.",
      }),
      line: orNull(Type.Integer({ description: "Line in the program, from 1; null if uncertain." })),
      column: orNull(Type.Integer()),
    },
    { description: "Origin of a send or receive." },
  ),
);
const texts = (description: string) => Type.Array(Type.Array(Type.String()), { description });

const step = named(
  "TraceStep",
  Type.Object({
    kind: Type.Enum(["produce", "consume", "comm"]),
    source,
    phlo: amount64({ description: "Phlo charged for this step; negative for a refund." }),
    channels: Type.Array(Type.String({ description: "Name, as Rholang." })),
    data: texts("Sent data, or matched data of a COMM: one list per channel."),
    patterns: texts("Patterns of a consume: one list per channel."),
    isPersistent: Type.Boolean(),
    isPeek: Type.Boolean(),
    senders: Type.Array(source, { description: "Senders of a COMM, one per channel." }),
    receiver: orNull(source),
  }),
);

/** The steps of a program. @spec 41 §8.5 */
export const programTrace = {
  parsingPhlo: amount64(),
  otherPhlo: amount64({ description: "Phlo for `new`, `match`, and the operation that ran out of phlo." }),
  unfinished: Type.Array(Type.Object({ line: orNull(Type.Integer()), column: orNull(Type.Integer()) }), {
    description: "Sends and receives that started but did not complete because the program failed.",
  }),
  isCut: Type.Boolean({ description: "True if the program had more steps than the answer." }),
  steps: Type.Array(step),
};
