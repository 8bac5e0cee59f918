import { noInjections, type Par, sortPar } from "@vedette/terms";
import { withinStack } from "./grammar/withinStack.js";
import { checkTopLevel } from "./normalize/checkTopLevel.js";
import { FreeMap } from "./normalize/FreeMap.js";
import { ProgramNormalizer } from "./normalize/ProgramNormalizer.js";
import { parseProgram } from "./syntax/Parser.js";

/**
 * Compiles a program: parses it, normalizes it, refuses what is free in it, and sorts it canonically.
 *
 * @spec 20 §1
 * @param source      the program's text
 * @param environment URI → value, in the order in which every `new` will carry them (20 §8.2)
 * @param maxTokens  a program with more is too large for this machine
 * @throws {InterpreterError} a class of 20 §13, or `NestedTooDeeply`, `ProgramTooLarge`
 * @cost grows with the text; a level of nesting takes native stack, so that deep programs need a thread with a large
 *   one; parallel parts and chains of operators do not
 */
export function compile(source: string, environment: ReadonlyMap<string, Par> = noInjections, maxTokens?: number): Par {
  return withinStack((stage) => {
    stage("parsing it");
    const { process, lines } = parseProgram(source, maxTokens);
    stage("normalizing it");
    const injections = environment.size === 0 ? noInjections : new Map(environment);
    const free = new FreeMap();
    const par = new ProgramNormalizer(lines, injections).alone(process, free);
    checkTopLevel(free, lines);
    stage("sorting it");
    return sortPar(par);
  });
}
