import type { Rule } from "../Rule.js";

/** Names that hide others. */
export const shadowedName: Rule = {
  id: "shadowed-name",
  about: "A name hides another of the same name",
  why: "Readers of the inner part take one for the other; where a pattern was to compare with the outer value, `=x` does that, and `x` alone binds a new one.",
  bad: "new x in { x!(1) | for (@x <- x) { @x!(2) } }",
  good: "new x in { x!(1) | for (@y <- x) { @y!(2) } }",
  find: ({ parsed, analysis }) =>
    analysis.symbols.flatMap(({ name, declaration, shadowed }) => {
      if (shadowed === undefined || name.startsWith("_")) return [];
      const { line, column } = parsed.lines.positionAt(shadowed.declaration.start);
      return [{ span: declaration, message: `${name} hides the ${name} of ${line}:${column}` }];
    }),
};
