import { type Par, type Receive, type RustParBuilder, rustTerms, type Send } from "@vedette/terms";
import { withinStack } from "../grammar/withinStack.js";
import { FreeMap } from "../normalize/FreeMap.js";
import type { PlacedProgram, TermPlace } from "../trace/compileWithPlaces.js";
import { placing } from "../trace/placing.js";
import { checkTopLevel } from "./normalize/checkTopLevel.js";
import { RustProgramNormalizer } from "./normalize/RustProgramNormalizer.js";
import { ascending } from "./rustGrammar.js";
import type { Process } from "./syntax/ast.js";
import { parseRustSource, type RustParsedSource } from "./syntax/RustSourceParser.js";

/**
 * Compiles a program of the newer node, and tells where each send and receive stands; of an agent's parts that the text
 * does not have, where the agent does.
 *
 * As in `compileWithPlaces` each Par is sorted as soon as it is built, so that every send and receive stays the object
 * for which its place was noted.
 *
 * @throws {InterpreterError} as `rustGrammar.compile`
 * @cost several times that of `rustGrammar.compile`: for people who look, not for nodes that follow
 */
export function compileRustWithPlaces(
  source: string,
  environment: ReadonlyMap<string, Par>,
  mostTokens?: number,
): PlacedProgram {
  return withinStack((stage) => {
    stage("parsing it");
    const parsed = parseRustSource(source, mostTokens);
    stage("normalizing it");
    const free = new FreeMap();
    const normalizer = new PlacingNormalizer(parsed, ascending(environment));
    const par = normalizer.alone(parsed.process, free);
    checkTopLevel(free, parsed.spans);
    stage("sorting it");
    return { par: rustTerms.sortPar(par), places: normalizer.places };
  });
}

class PlacingNormalizer extends RustProgramNormalizer {
  readonly places = new Map<Send | Receive, TermPlace>();
  readonly #parsed: RustParsedSource;
  /** Offset of the process that is normalized, or of what it was made from. */
  #at = 0;

  constructor(parsed: RustParsedSource, injections: ReadonlyMap<string, Par>) {
    super(parsed.spans, injections);
    this.#parsed = parsed;
  }

  override process(process: Process, into: RustParBuilder, free: FreeMap): void {
    const outer = this.#at;
    this.#at = this.#parsed.spanOf(process.span).start;
    super.process(process, into, free);
    this.#at = outer;
  }

  override builder(): RustParBuilder {
    const note = (term: Send | Receive) => {
      const offset = this.#at;
      const { line, column } = this.#parsed.lines.positionAt(offset);
      this.places.set(term, { offset, line, column });
    };
    return placing(super.builder(), note, rustTerms.sortPar);
  }
}
