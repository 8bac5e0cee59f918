import { f1r3nodeTerms, noInjections, type Par } from "@vedette/terms";
import type { Grammar } from "../grammar/Grammar.js";
import { withinStack } from "../grammar/withinStack.js";
import { FreeMap } from "../normalize/FreeMap.js";
import { checkTopLevel } from "./normalize/checkTopLevel.js";
import { F1r3nodeProgramNormalizer } from "./normalize/F1r3nodeProgramNormalizer.js";
import { parseF1r3nodeProgram } from "./syntax/F1r3nodeParser.js";

/** The language as f1r3node networks have it. @spec 61 §4, §5 */
export const f1r3nodeGrammar: Grammar = {
  compile(source, environment = noInjections, maxTokens): Par {
    return withinStack((stage) => {
      stage("parsing it");
      const { process, spans } = parseF1r3nodeProgram(source, maxTokens);
      stage("normalizing it");
      const free = new FreeMap();
      const par = new F1r3nodeProgramNormalizer(spans, ascending(environment)).alone(process, free);
      checkTopLevel(free, spans);
      stage("sorting it");
      return f1r3nodeTerms.sortPar(par);
    });
  },
};

/** By key, in the order of their bytes: ASCII. @spec 61 §5 */
export function ascending(environment: ReadonlyMap<string, Par>): ReadonlyMap<string, Par> {
  if (environment.size === 0) return noInjections;
  return new Map([...environment].sort(([left], [right]) => (left < right ? -1 : 1)));
}
