import type { PlacedProgram } from "@vedette/rholang";
import type { Par } from "@vedette/terms";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";

/**
 * A program with the places of its terms.
 *
 * @param par as the program is compiled otherwise
 * @returns `undefined` where places cannot be found; should the two ever differ, the compiled program runs, without places
 */
export function placedProgram(
  par: Par,
  program: {
    readonly source: string;
    readonly environment: ReadonlyMap<string, Par>;
    readonly maxTokens: number | undefined;
  },
  { grammar, terms }: Pick<ExecutionDialect, "grammar" | "terms">,
): PlacedProgram | undefined {
  const { source, environment, maxTokens } = program;
  const placed = grammar.compileWithPlaces?.(source, environment, maxTokens);
  if (placed === undefined) return undefined;
  return Buffer.compare(terms.encodePar(par), terms.encodePar(placed.par)) === 0 ? placed : undefined;
}
