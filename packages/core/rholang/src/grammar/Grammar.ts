import type { Par } from "@vedette/terms";
import type { PlacedProgram } from "../trace/compileWithLocations.js";

/** How programs become terms in a dialect. @spec 20 §1, 61 §4, §5 */
export interface Grammar {
  /**
   * Compiles a program: parses it, normalizes it, refuses what is free in it, and sorts it canonically.
   *
   * @param source      the program's text
   * @param environment URI → value: every `new` will carry them
   * @param maxTokens  a program with more is too large for this machine
   * @throws {InterpreterError} a class of 20 §13 or 61 §4, or `NestedTooDeeply`, `ProgramTooLarge`
   * @cost grows with the text; a level of nesting takes native stack, so that deep programs need a thread with a large
   *   one; parallel parts and chains of operators do not
   */
  compile(source: string, environment?: ReadonlyMap<string, Par>, maxTokens?: number): Par;
  /** As {@link compile}, for traces: with the place of each send and receive. Absent in grammars without places. */
  compileWithPlaces?(source: string, environment: ReadonlyMap<string, Par>, maxTokens?: number): PlacedProgram;
}
