import { type Par, type ParBuilder, type Receive, type Send, sortPar } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import { checkTopLevel } from "../normalize/checkTopLevel.js";
import { FreeMap } from "../normalize/FreeMap.js";
import { ProgramNormalizer } from "../normalize/ProgramNormalizer.js";
import type { Process } from "../syntax/ast.js";
import { type ParsedSource, parseSource } from "../syntax/SourceParser.js";
import { placing } from "./placing.js";

/** Where a send or a receive begins in the text of its program, line and column counted from 1. */
export interface TermSourceLocation {
  /** In UTF-16 units. */
  readonly offset: number;
  readonly line: number;
  readonly column: number;
}

/** A program with the places of its sends and receives. */
export interface PlacedProgram {
  /** The same term as `compile` gives. */
  readonly par: Par;
  /** By identity. What desugaring made has the place of what it was made from. */
  readonly places: ReadonlyMap<Send | Receive, TermSourceLocation>;
}

/**
 * Compiles a program as {@link compile} does, and returns the places of its sends and receives.
 *
 * Each Par is sorted as soon as it is built. So a later sorting changes the order of lists only, and every send and
 * receive stays the object of the recorded place.
 *
 * @throws {InterpreterError} as `compile`
 * @cost several times that of `compile`: for traces on request, not for nodes that follow
 */
export function compileWithLocations(
  source: string,
  environment: ReadonlyMap<string, Par>,
  maxTokens?: number,
): PlacedProgram {
  try {
    const parsed = parseSource(source, maxTokens);
    const free = new FreeMap();
    const normalizer = new PlacingNormalizer(parsed, new Map(environment));
    const par = sortPar(normalizer.alone(parsed.process, free));
    checkTopLevel(free, parsed.lines);
    return { par, places: normalizer.places };
  } catch (error) {
    if (error instanceof RangeError && error.message.includes("call stack"))
      throw new InterpreterError({ class: "NestedTooDeeply", during: "compiling it" }, { cause: error });
    throw error;
  }
}

class PlacingNormalizer extends ProgramNormalizer {
  readonly places = new Map<Send | Receive, TermSourceLocation>();
  readonly #parsed: ParsedSource;
  /** Offset of the process that is normalized, or of what it was made from. */
  #at = 0;

  constructor(parsed: ParsedSource, injections: ReadonlyMap<string, Par>) {
    super(parsed.lines, injections);
    this.#parsed = parsed;
  }

  override process(process: Process, into: ParBuilder, free: FreeMap): void {
    const outer = this.#at;
    this.#at = this.#parsed.spans.get(process)?.start ?? outer;
    super.process(process, into, free);
    this.#at = outer;
  }

  override builder(): ParBuilder {
    const note = (term: Send | Receive) => {
      const { line, column } = this.positionAt(this.#at);
      this.places.set(term, { offset: this.#at, line, column });
    };
    return placing(super.builder(), note, sortPar);
  }
}
