import type { F1r3nodeParBuilder, Par } from "@vedette/terms";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { Scope } from "../../normalize/Scope.js";
import type { F1r3nodeName, F1r3nodeProcess } from "../syntax/ast.js";
import type { SpanTable } from "../syntax/SpanTable.js";

/**
 * The operations of the normalizer that the rule of a construct needs.
 *
 * @spec 20 §6.1, 61 §5
 */
export interface F1r3nodeNormalizer {
  readonly scope: Scope;
  readonly spans: SpanTable;
  /** Copied into every `new`, by ascending key. */
  readonly injections: ReadonlyMap<string, Par>;
  /** Adds a process to the parallel parts in `into`. */
  process(process: F1r3nodeProcess, into: F1r3nodeParBuilder, free: FreeMap): void;
  /** Normalizes a process by itself. */
  alone(process: F1r3nodeProcess, free: FreeMap): Par;
  /** Normalizes each by itself, from first to last. */
  each(processes: readonly F1r3nodeProcess[], free: FreeMap): Par[];
  name(name: F1r3nodeName, free: FreeMap): Par;
  /** Normalizes a body in which the variables of a pattern are bound. */
  under(bound: FreeMap, body: F1r3nodeProcess, free: FreeMap): Par;
  /** A name that no program can write. */
  freshName(): string;
}
