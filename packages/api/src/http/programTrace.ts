import * as Type from "typebox";
import { amount64, named, orNull } from "./scalars.js";

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
    phlo: amount64({ description: "Charged for this step; below 0 where more is given back." }),
    channels: Type.Array(Type.String({ description: "A name, as Rholang." })),
    data: texts("What is sent, or of a COMM what met: a list for each channel."),
    patterns: texts("What a consume waits for: a list for each channel."),
    isPersistent: Type.Boolean(),
    isPeek: Type.Boolean(),
    senders: Type.Array(source, { description: "Of a COMM: who sent what met, for each channel." }),
    receiver: orNull(source),
  }),
);

/** What a program did, step by step. @spec 41 §8.5 */
export const programTrace = {
  parsingPhlo: amount64(),
  otherPhlo: amount64({ description: "For `new`, `match`, and what was begun when the phlo ran out." }),
  unfinished: Type.Array(Type.Object({ line: orNull(Type.Integer()), column: orNull(Type.Integer()) }), {
    description: "Sends and receives that began and came to no operation: where a program failed.",
  }),
  isCut: Type.Boolean({ description: "Whether there were more steps than are told." }),
  steps: Type.Array(step),
};
