import { InterpreterError, printPosition, type SourcePosition } from "../InterpreterError.js";
import type { LineTable } from "../syntax/LineTable.js";
import type { FreeMap } from "./FreeMap.js";

/**
 * Refuses a program that leaves something free: variables, wildcards, connectives.
 *
 * Quirk 20 §8.1: variables beside wildcards are reported as wildcards.
 *
 * @spec 20 §8.1
 */
export function checkTopLevel(free: FreeMap, lines: LineTable): void {
  if (free.isEmpty) return;
  const { connectives, wildcards } = free;
  if (connectives.length > 0)
    refuse(
      "TopLevelLogicalConnectivesNotAllowedError",
      connectives.map(({ text, position }) => ({ what: text, at: lines.positionAt(position) })),
    );
  if (wildcards.length > 0)
    refuse(
      "TopLevelWildcardsNotAllowedError",
      wildcards.map((position) => ({ what: "_ (wildcard)", at: lines.positionAt(position) })),
    );
  refuse(
    "TopLevelFreeVariablesNotAllowedError",
    free.entriesAsListed().map(([name, { position }]) => ({ what: name, at: lines.positionAt(position) })),
  );
}

function refuse(
  failureClass:
    | "TopLevelLogicalConnectivesNotAllowedError"
    | "TopLevelWildcardsNotAllowedError"
    | "TopLevelFreeVariablesNotAllowedError",
  uses: readonly { readonly what: string; readonly at: SourcePosition }[],
): never {
  const occurrences = uses.map(({ what, at }) => `${what} at ${printPosition(at)}`).join(", ");
  throw new InterpreterError({ class: failureClass, occurrences, at: uses[0]!.at });
}
