import { compile, InterpreterError } from "@vedette/rholang";

/** A place in a text; both numbers begin at 0. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** A fault of a program, and its place. */
export interface ProgramDiagnostic {
  readonly start: TextPosition;
  /** Exclusive. */
  readonly end: TextPosition;
  readonly message: string;
}

/** Checks a program for an editor: the first error of the compiler, if it has one. @spec 50 §3.4 (Lsp) */
export function diagnose(source: string): readonly ProgramDiagnostic[] {
  try {
    compile(source);
    return [];
  } catch (error) {
    if (!(error instanceof InterpreterError)) throw error;
    return [{ ...rangeOf(source, error), message: error.message }];
  }
}

function rangeOf(
  source: string,
  { failure }: InterpreterError,
): { readonly start: TextPosition; readonly end: TextPosition } {
  const at = "at" in failure ? failure.at : undefined;
  // Quirk 20 §2.3: some places are made up, and lie outside of every text.
  if (at === undefined || at.line < 1 || at.column < 1) return wholeOf(source);
  const start = { line: at.line - 1, column: at.column - 1 };
  return { start, end: { line: start.line, column: start.column + lengthOf(failure) } };
}

function lengthOf(failure: InterpreterError["failure"]): number {
  if ("text" in failure) return 1;
  switch (failure.class) {
    case "UnexpectedNameContext":
    case "UnexpectedProcContext":
    case "UnexpectedReuseOfNameContextFree":
    case "UnexpectedReuseOfProcContextFree":
    case "UnboundVariableRef":
      return failure.name.length;
    case "TopLevelFreeVariablesNotAllowedError":
      return failure.occurrences.split(" at ", 1)[0]!.length;
    case "SyntaxError":
      return failure.found?.length ?? 0;
    default:
      return 1;
  }
}

function wholeOf(source: string): { readonly start: TextPosition; readonly end: TextPosition } {
  const lines = source.split("\n");
  return { start: { line: 0, column: 0 }, end: { line: lines.length - 1, column: lines.at(-1)!.length } };
}
