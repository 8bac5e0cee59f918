import { type InterpreterError, type InterpreterFailure, printPosition } from "../InterpreterError.js";
import { LineTable } from "./LineTable.js";

/** A line of the source is shown to this length; of a longer one the part around the place. */
const shownLength = 100;

/**
 * Shows an error of the compiler at its place in the program: the message, the line, and a caret under the place.
 * An error that has no place is its message alone.
 *
 * @param placeOf where in the program the place lies that an error names, if its grammar reads another text
 *
 * @example
 * syntax error(): + at 1:3-1:4
 *   --> 1:3
 *   |
 * 1 | @1+2!(3)
 *   |   ^
 */
export function renderError(
  source: string,
  error: InterpreterError,
  placeOf: (source: string, offset: number) => number = (_, offset) => offset,
): string {
  const named = "at" in error.failure ? error.failure.at : undefined;
  if (named?.offset === undefined) return error.message;
  const lines = new LineTable(source);
  const at = lines.positionAt(placeOf(source, named.offset));
  const line = lines.lineText(at.line);
  const { text, column } = clip(line, at.column - 1);
  const carets = "^".repeat(Math.max(1, Math.min(markedLength(error.failure), text.length - column)));
  const number = String(at.line);
  const margin = " ".repeat(number.length);
  return [
    error.message,
    `${margin} --> ${printPosition(at)}`,
    `${margin} |`,
    `${number} | ${text.replace(/\p{Cc}/gu, " ")}`.trimEnd(),
    `${margin} | ${" ".repeat(column)}${carets}`,
  ].join("\n");
}

function clip(line: string, column: number): { text: string; column: number } {
  if (line.length <= shownLength) return { text: line, column };
  const start = Math.max(0, Math.min(column - shownLength / 2, line.length - shownLength));
  const before = start > 0 ? "…" : "";
  const after = start + shownLength < line.length ? "…" : "";
  const text = before + line.slice(start, start + shownLength) + after;
  return { text, column: column - start + before.length };
}

function markedLength(failure: InterpreterFailure): number {
  if ("text" in failure) return 1;
  switch (failure.class) {
    case "SyntaxError":
      return failure.found?.length ?? 1;
    case "UnexpectedNameContext":
    case "UnexpectedProcContext":
    case "UnexpectedReuseOfNameContextFree":
    case "UnexpectedReuseOfProcContextFree":
      return failure.name.length;
    case "UnboundVariableRef":
      return failure.name.length + 1;
    default:
      return 1;
  }
}
