import { spannedError } from "../../InterpreterError.js";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { SpanTable } from "../syntax/SpanTable.js";

/**
 * Refuses a program that leaves something free: connectives, wildcards, variables, in this order.
 *
 * @spec 20 §8.1, §14.3
 */
export function checkTopLevel(free: FreeMap, spans: SpanTable): void {
  if (free.isEmpty) return;
  const [connective] = free.connectives;
  if (connective !== undefined) {
    const list = free.connectives.map(({ text, position }) => `${text} at ${spans.shown(position)}`).join(", ");
    const text = `Top level logical connectives are not allowed: ${list}`;
    throw spannedError("TopLevelLogicalConnectivesNotAllowedError", text, spans.startAt(connective.position));
  }
  const [wildcard] = free.wildcards;
  if (wildcard !== undefined) {
    const list = free.wildcards.map((span) => `_ (wildcard) at ${spans.shown(span)}`).join(", ");
    const text = `Top level wildcards are not allowed: ${list}`;
    throw spannedError("TopLevelWildcardsNotAllowedError", text, spans.startAt(wildcard));
  }
  const variables = [...free.entries()];
  const list = variables.map(([name, { position }]) => `${name} at ${spans.spelled(position)}`).join(", ");
  const text = `Top level free variables are not allowed: ${list}`;
  throw spannedError("TopLevelFreeVariablesNotAllowedError", text, spans.startAt(variables[0]![1].position));
}
