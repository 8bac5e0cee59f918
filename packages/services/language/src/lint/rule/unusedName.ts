import type { Rule } from "../Rule.js";
import { replyOf } from "./contractWithoutReply.js";

/** Reports names that are declared and never used. */
export const unusedName: Rule = {
  id: "unused-name",
  about: "A name is declared and never used",
  why: "It is left over, or another name was meant. Where a pattern must have something in that place, write `_`, or let the name begin with `_`.",
  bad: "new a, b in { a!(1) }",
  good: "new a in { a!(1) }",
  find: ({ parsed, analysis }) => {
    const replies = new Set(replyOf(parsed, analysis).map(({ symbol }) => symbol));
    return analysis.symbols
      .filter(({ name, references, isInPattern }) => references.length === 0 && !isInPattern && !name.startsWith("_"))
      .filter((symbol) => !replies.has(symbol))
      .map(({ name, declaration }) => ({ span: declaration, message: `${name} is never used` }));
  },
};
