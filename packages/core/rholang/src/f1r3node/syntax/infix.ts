import type { BinaryOperator } from "@vedette/terms";

/** The construct that an infix token other than `|` makes of its two sides. */
export type InfixKind = "method" | "matches" | "Conjunction" | "Disjunction" | BinaryOperator;

/** An infix token: how tight it binds, and the loosest that its right side takes. */
export interface Infix {
  readonly text: string;
  readonly kind: InfixKind;
  readonly level: number;
  readonly rightLevel: number;
}

/** @spec 20 §3.1, 61 §4 */
const infixes: readonly Infix[] = [
  left("or", "EOr", 4),
  left("and", "EAnd", 5),
  left("==", "EEq", 6),
  left("!=", "ENeq", 6),
  // Leans to the right: `a matches b == c` is `a matches (b == c)`.
  { text: "matches", kind: "matches", level: 6, rightLevel: 6 },
  left("<", "ELt", 7),
  left("<=", "ELte", 7),
  left(">", "EGt", 7),
  left(">=", "EGte", 7),
  left("+", "EPlus", 8),
  left("-", "EMinus", 8),
  left("++", "EPlusPlus", 8),
  left("--", "EMinusMinus", 8),
  left("*", "EMult", 9),
  left("/", "EDiv", 9),
  left("%", "EMod", 9),
  left("%%", "EPercentPercent", 9),
  left(".", "method", 11),
  left("\\/", "Disjunction", 13),
  left("/\\", "Conjunction", 14),
];

/** Infix words by their text. */
export const infixWords: ReadonlyMap<string, Infix> = new Map(
  infixes.filter(({ text }) => /[a-z]/.test(text)).map((each) => [each.text, each]),
);

/** Infix signs by their first unit, the longest first. */
export const infixSigns: readonly (readonly Infix[] | undefined)[] = bySign();

function left(text: string, kind: InfixKind, level: number): Infix {
  return { text, kind, level, rightLevel: level + 1 };
}

function bySign(): Infix[][] {
  const table: Infix[][] = [];
  for (const each of infixes) if (!infixWords.has(each.text)) (table[each.text.charCodeAt(0)] ??= []).push(each);
  for (const each of table) each?.sort((a, b) => b.text.length - a.text.length);
  return table;
}
