import { noInjections, type Par, rustTerms } from "@vedette/terms";
import type { Grammar } from "../grammar/Grammar.js";
import { withinStack } from "../grammar/withinStack.js";
import { FreeMap } from "../normalize/FreeMap.js";
import { checkTopLevel } from "./normalize/checkTopLevel.js";
import { RustProgramNormalizer } from "./normalize/RustProgramNormalizer.js";
import { parseRustProgram } from "./syntax/RustParser.js";

/** The language as networks of the newer node have it. @spec 61 §4, §5 */
export const rustGrammar: Grammar = {
  compile(source, environment = noInjections, mostTokens): Par {
    return withinStack((stage) => {
      stage("parsing it");
      const { process, spans } = parseRustProgram(source, mostTokens);
      stage("normalizing it");
      const free = new FreeMap();
      const par = new RustProgramNormalizer(spans, ascending(environment)).alone(process, free);
      checkTopLevel(free, spans);
      stage("sorting it");
      return rustTerms.sortPar(par);
    });
  },
};

/** By key, in the order of their bytes: ASCII. @spec 61 §5 */
export function ascending(environment: ReadonlyMap<string, Par>): ReadonlyMap<string, Par> {
  if (environment.size === 0) return noInjections;
  return new Map([...environment].sort(([left], [right]) => (left < right ? -1 : 1)));
}
