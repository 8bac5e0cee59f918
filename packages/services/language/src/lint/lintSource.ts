import { InterpreterError, type Span } from "@vedette/rholang";
import { analyze } from "../analysis/analyze.js";
import type { Analysis } from "../analysis/NameSymbol.js";
import type { Language } from "../Language.js";
import type { ProgramSource } from "../ProgramSource.js";
import { rules } from "./rules.js";

/** A remark about a program, or the error for which it is none. */
export interface Diagnostic {
  readonly severity: "error" | "warning";
  /** A rule of the linter, or the class of a compiler's error. */
  readonly rule: string;
  readonly message: string;
  readonly span: Span;
  /** The correction: a text that replaces a piece of the program. */
  readonly fix?: { readonly span: Span; readonly text: string };
}

/** The facts about a program after reading it. */
export interface CheckedProgram {
  /** By place. */
  readonly diagnostics: readonly Diagnostic[];
  /** Absent where the text cannot be parsed. */
  readonly program: { readonly parsed: ProgramSource; readonly analysis: Analysis } | undefined;
}

/**
 * Compiles a program and looks at it with every rule that its comments do not switch off.
 *
 * @throws errors that are not the program's: a bug, or a stack that is too small
 */
export function checkProgram(source: string, language: Language): CheckedProgram {
  const errors = compileErrors(source, language);
  const parsed = parsedOf(source, language);
  if (parsed === undefined) return { diagnostics: errors, program: undefined };
  const program = { parsed, analysis: analyze(parsed) };
  const isAllowed = allowances(parsed);
  const warnings = rules.flatMap(({ id, find }) =>
    find({ ...program, language })
      .filter(({ span }) => !isAllowed(id, span.start))
      .map(({ span, message }): Diagnostic => ({ severity: "warning", rule: id, message, span })),
  );
  const diagnostics = [...errors, ...unclosed(parsed), ...warnings];
  return { diagnostics: diagnostics.sort((one, other) => one.span.start - other.span.start), program };
}

/** f1r3node takes such a program, no other reader does. @spec 61 §4 */
function unclosed({ unclosedAt }: ProgramSource): Diagnostic[] {
  if (unclosedAt === undefined) return [];
  const message = "The closing parenthesis is missing; f1r3node takes the program as if it were there";
  const fix = { span: { start: unclosedAt, end: unclosedAt }, text: ")" };
  return [{ severity: "error", rule: "unclosed", message, span: { start: unclosedAt - 1, end: unclosedAt }, fix }];
}

function parsedOf(source: string, language: Language): ProgramSource | undefined {
  try {
    return language.read(source);
  } catch (error) {
    if (error instanceof InterpreterError) return undefined;
    throw error;
  }
}

function compileErrors(source: string, language: Language): Diagnostic[] {
  try {
    language.grammar.compile(source);
    return [];
  } catch (error) {
    return [errorDiagnostic(source, error, language)];
  }
}

function errorDiagnostic(source: string, error: unknown, language: Language): Diagnostic {
  if (!(error instanceof InterpreterError)) throw error;
  const { failure, message } = error;
  const offset = ("at" in failure ? failure.at?.offset : undefined) ?? 0;
  const start = Math.min(language.placeOf(source, offset), source.length);
  const length = failure.class === "SyntaxError" ? (failure.found?.length ?? 0) : 1;
  return {
    severity: "error",
    rule: failure.class,
    message,
    span: { start, end: Math.min(start + length, source.length) },
  };
}

const allowance = /^(?:\/\/|\/\*)\s*lint: allow(?<everywhere>-in-file)? (?<rules>[a-z-]+(?:, ?[a-z-]+)*)/;

/**
 * Reads the comments that switch rules off: `// lint: allow race` at the end of a line, or alone on the line before it;
 * `// lint: allow-in-file race, unused-name` anywhere.
 *
 * @returns a function that returns whether a rule is switched off at an offset
 */
function allowances(parsed: ProgramSource): (rule: string, offset: number) => boolean {
  const lines = new Map<number, Set<string>>();
  const everywhere = new Set<string>();
  for (const { start, end, before } of parsed.comments) {
    const { groups } = allowance.exec(parsed.source.slice(start, end)) ?? {};
    if (groups === undefined) continue;
    const named = groups["rules"]!.split(/, ?/);
    if (groups["everywhere"] !== undefined) for (const rule of named) everywhere.add(rule);
    else {
      const own = parsed.lines.positionAt(start).line;
      const previous = parsed.tokens[before - 1];
      const isBehind = previous !== undefined && parsed.lines.positionAt(previous.start).line === own;
      const line = isBehind ? own : parsed.lines.positionAt(parsed.tokens[before]!.start).line;
      lines.set(line, new Set([...(lines.get(line) ?? []), ...named]));
    }
  }
  return (rule, offset) => everywhere.has(rule) || lines.get(parsed.lines.positionAt(offset).line)?.has(rule) === true;
}
