import { InterpreterError } from "@vedette/rholang";
import { encodePar, TermLimitError } from "@vedette/terms";
import { formatSource } from "../format/formatSource.js";
import { type Language, type LanguageDialect, languageOf } from "../Language.js";

/**
 * Returns the fault in the formatting of a program; `undefined` for a well formatted one, and for an invalid program.
 */
export function formatFault(source: string, dialect: LanguageDialect = "rnode"): string | undefined {
  const language = languageOf(dialect);
  const before = commentsOf(source, language);
  if (before === undefined) return undefined;
  const once = formatSource(closed(source, language), language);
  const twice = formatSource(once, language);
  if (twice !== once) return `is formatted again:\n${once}\n---\n${twice}`;
  if (termOf(once, language) !== termOf(source, language)) return "is another term";
  const after = commentsOf(once, language)!;
  if (before.toSorted().join("\n") !== after.toSorted().join("\n")) return `has other comments:\n${once}`;
  return undefined;
}

/** With the closing parenthesis that f1r3node does without. @spec 61 §4 */
function closed(source: string, language: Language): string {
  const { unclosedAt } = language.read(source);
  return unclosedAt === undefined ? source : `${source.slice(0, unclosedAt)})${source.slice(unclosedAt)}`;
}

function commentsOf(source: string, language: Language): string[] | undefined {
  try {
    return language.read(source).comments.map(({ start, end }) => source.slice(start, end).trimEnd());
  } catch (error) {
    if (isRefused(error)) return undefined;
    throw error;
  }
}

/** The encoded term, or the class of the parse error: its message depends on the position. */
function termOf(source: string, { grammar }: Language): string {
  try {
    return Buffer.from(encodePar(grammar.compile(source))).toString("hex");
  } catch (error) {
    if (error instanceof InterpreterError) return error.failure.class;
    // The term would be larger than any may be, before and after.
    if (error instanceof TermLimitError) return error.failure.code;
    throw error;
  }
}

function isRefused(error: unknown): boolean {
  return error instanceof InterpreterError || (error instanceof RangeError && error.message.includes("call stack"));
}
