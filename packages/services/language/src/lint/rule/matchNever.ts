import { eachProcess } from "../../childProcesses.js";
import type { AnyProcess } from "../../ProgramSource.js";
import { guardOf } from "../../parts.js";
import type { LintFinding, Rule } from "../Rule.js";
import { mayMeet } from "./mayMeet.js";

/** Cases that no value reaches. */
export const matchNever: Rule = {
  id: "match-never",
  about: "A case of a match can never be reached",
  why: "A case before it takes everything, or what is matched can never be like that. A variable in a pattern binds whatever comes; to compare with a variable that is there already, write `=x`.",
  bad: 'match 1 + 1 { x => @0!(x) "two" => @0!(2) }',
  good: 'match 1 + 1 { "two" => @0!(2) x => @0!(x) }',
  find: ({ parsed }) =>
    [...eachProcess(parsed.process)].flatMap((process) => {
      if (process.kind !== "Match") return [];
      const { target, cases } = process;
      let takesAll: AnyProcess | undefined;
      return cases.flatMap((one): LintFinding[] => {
        const { pattern } = one;
        const span = parsed.spanOf(pattern)!;
        if (takesAll !== undefined) {
          const { line, column } = parsed.lines.positionAt(parsed.spanOf(takesAll)!.start);
          return [{ span, message: `this case is never reached: that of ${line}:${column} takes everything` }];
        }
        const takesEach = pattern.kind === "Wildcard" || pattern.kind === "Variable";
        if (takesEach && guardOf(one) === undefined) takesAll = pattern;
        return mayMeet(target, pattern) ? [] : [{ span, message: "this case never matches what is matched" }];
      });
    }),
};
