import { InterpreterError } from "@vedette/rholang";
import { f1r3nodeLanguage, type Language } from "../Language.js";
import type { ProgramSource } from "../ProgramSource.js";
import { Layout } from "./Layout.js";
import { printDoc } from "./printDoc.js";

/**
 * Lays a program out anew. Tokens and comments stay, only the space between them changes: so the program compiles to
 * the same term. Formatting a formatted text changes nothing. Agents stay as they are written.
 *
 * @param language of the network
 * @spec 20 §2, §3, 61 §4
 * @throws {InterpreterError} when the text is not a program, or too large, or nested too deeply for the stack
 * @throws Error when only f1r3node's grammar can read the program, and another one is given (61 §4)
 * @throws Error when a closing parenthesis is missing at the end that f1r3node does without (61 §4)
 * @throws Error when the formatter would lose something: a mistake of ours, the text stays as it was
 * @cost linear in the text; native stack for each level of nesting
 */
export function formatSource(source: string, language: Language): string {
  const parsed = parsedForLayout(source, language);
  if (parsed.unclosedAt !== undefined)
    throw new Error(`The closing parenthesis is missing at ${place(parsed, parsed.unclosedAt)}; add it.`);
  const formatted = printDoc(new Layout(parsed).program()).trimEnd();
  const text = formatted === "" ? "" : `${formatted}\n`;
  const lost = firstDifference(parsed, language.read(text));
  if (lost !== undefined) throw new Error(`The formatter would change the program at ${lost}; please report it.`);
  return text;
}

function parsedForLayout(source: string, language: Language): ProgramSource {
  try {
    return language.read(source);
  } catch (error) {
    if (language === f1r3nodeLanguage) throw error;
    const isOfSyntax = error instanceof InterpreterError && ["SyntaxError", "LexerError"].includes(error.failure.class);
    if (!isOfSyntax || !isF1r3nodeProgram(source)) throw error;
    throw new Error("What only f1r3node's grammar knows is in this program: lay it out with --dialect f1r3node.", {
      cause: error,
    });
  }
}

function isF1r3nodeProgram(source: string): boolean {
  try {
    f1r3nodeLanguage.grammar.compile(source);
    return true;
  } catch (error) {
    if (error instanceof InterpreterError) return false;
    throw error;
  }
}

/** The place of the first token that two texts do not share, `undefined` when they share all and as many comments. */
function firstDifference(before: ProgramSource, after: ProgramSource): string | undefined {
  for (const [index, token] of before.tokens.entries()) {
    const other = after.tokens[index];
    const isSame =
      other !== undefined &&
      token.kind === other.kind &&
      before.source.slice(token.start, token.end) === after.source.slice(other.start, other.end);
    if (!isSame) return place(before, token.start);
  }
  if (after.tokens.length !== before.tokens.length) return "its end";
  const kept = commentsOf(after);
  for (const [comment, start] of commentsOf(before)) if (!kept.has(comment)) return place(before, start);
  return undefined;
}

function place({ lines }: ProgramSource, offset: number): string {
  const { line, column } = lines.positionAt(offset);
  return `${line}:${column}`;
}

function commentsOf({ source, comments }: ProgramSource): ReadonlyMap<string, number> {
  return new Map(comments.map(({ start, end }) => [source.slice(start, end).trimEnd(), start]));
}
