import type { Par, ParBuilder } from "@vedette/terms";
import type { SourcePosition } from "../InterpreterError.js";
import type { Name, Process } from "../syntax/ast.js";
import type { FreeMap } from "./FreeMap.js";
import type { Scope } from "./Scope.js";

/**
 * The operations of the normalizer that the rule of a construct needs: its scope, and a way to normalize its parts.
 *
 * @spec 20 §6.1
 */
export interface Normalizer {
  readonly scope: Scope;
  /** Copied into every `new`. @spec 20 §8.2 */
  readonly injections: ReadonlyMap<string, Par>;
  /** Adds a process to the parallel parts in `into`. */
  process(process: Process, into: ParBuilder, free: FreeMap): void;
  /** Normalizes a process by itself. */
  alone(process: Process, free: FreeMap): Par;
  /** Normalizes each by itself, from first to last. */
  each(processes: readonly Process[], free: FreeMap): Par[];
  /** Quirk 20 §7.8, §7.9: data and arguments are normalized from last to first; the result is in source order. */
  eachFromLast(processes: readonly Process[], free: FreeMap): Par[];
  name(name: Name, free: FreeMap): Par;
  /** For the parallel parts of a process. */
  builder(): ParBuilder;
  /** A name that no program can write. @spec 20 §4 */
  freshName(): string;
  positionAt(offset: number): SourcePosition;
}
