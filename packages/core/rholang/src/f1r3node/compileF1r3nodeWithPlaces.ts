import { type F1r3nodeParBuilder, f1r3nodeTerms, type Par, type Receive, type Send } from "@vedette/terms";
import { withinStack } from "../grammar/withinStack.js";
import { FreeMap } from "../normalize/FreeMap.js";
import type { PlacedProgram, TermSourceLocation } from "../trace/compileWithLocations.js";
import { placing } from "../trace/placing.js";
import { ascending } from "./f1r3nodeGrammar.js";
import { checkTopLevel } from "./normalize/checkTopLevel.js";
import { F1r3nodeProgramNormalizer } from "./normalize/F1r3nodeProgramNormalizer.js";
import type { F1r3nodeProcess } from "./syntax/ast.js";
import { type F1r3nodeParsedSource, parseF1r3nodeSource } from "./syntax/F1r3nodeSourceParser.js";

/**
 * Compiles a program of f1r3node, and returns the places of its sends and receives; parts that the text does not have
 * get the place of their agent.
 *
 * As in `compileWithLocations` each Par is sorted as soon as it is built, so that every send and receive stays the
 * object of the recorded place.
 *
 * @throws {InterpreterError} as `f1r3nodeGrammar.compile`
 * @cost several times that of `f1r3nodeGrammar.compile`: for traces on request, not for nodes that follow
 */
export function compileF1r3nodeWithPlaces(
  source: string,
  environment: ReadonlyMap<string, Par>,
  maxTokens?: number,
): PlacedProgram {
  return withinStack((stage) => {
    stage("parsing it");
    const parsed = parseF1r3nodeSource(source, maxTokens);
    stage("normalizing it");
    const free = new FreeMap();
    const normalizer = new F1r3nodePlacingNormalizer(parsed, ascending(environment));
    const par = normalizer.alone(parsed.process, free);
    checkTopLevel(free, parsed.spans);
    stage("sorting it");
    return { par: f1r3nodeTerms.sortPar(par), places: normalizer.places };
  });
}

class F1r3nodePlacingNormalizer extends F1r3nodeProgramNormalizer {
  readonly places = new Map<Send | Receive, TermSourceLocation>();
  readonly #parsed: F1r3nodeParsedSource;
  /** Offset of the process that is normalized, or of what it was made from. */
  #at = 0;

  constructor(parsed: F1r3nodeParsedSource, injections: ReadonlyMap<string, Par>) {
    super(parsed.spans, injections);
    this.#parsed = parsed;
  }

  override process(process: F1r3nodeProcess, into: F1r3nodeParBuilder, free: FreeMap): void {
    const outer = this.#at;
    this.#at = this.#parsed.spanOf(process.span).start;
    super.process(process, into, free);
    this.#at = outer;
  }

  override builder(): F1r3nodeParBuilder {
    const note = (term: Send | Receive) => {
      const offset = this.#at;
      const { line, column } = this.#parsed.lines.positionAt(offset);
      this.places.set(term, { offset, line, column });
    };
    return placing(super.builder(), note, f1r3nodeTerms.sortPar);
  }
}
