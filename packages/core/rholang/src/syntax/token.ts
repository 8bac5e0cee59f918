/** Reserved words; none can be an identifier. @spec 20 §2.4 */
const reservedWords = [
  "Bool",
  "ByteArray",
  "Int",
  "Nil",
  "Set",
  "String",
  "Uri",
  "and",
  "bundle",
  "bundle0",
  "contract",
  "else",
  "false",
  "for",
  "if",
  "in",
  "let",
  "match",
  "matches",
  "new",
  "not",
  "or",
  "select",
  "true",
] as const;

/** Punctuation; each entry is one token, so that `,)` and `...` are not two or three. @spec 20 §2.4 */
export const punctuation = [
  ...["{", "}", "(", ")", "[", "]", ",", ",)", ";", ":", ".", "...", "@", "_", "|", "&", "~"],
  ...["*", "/", "%", "%%", "+", "++", "-", "--", "/\\", "\\/"],
  ...["<", "<=", ">", ">=", "==", "!=", "=", "=>", "<-", "<<-", "!", "!!", "!?", "?!"],
] as const;

/** The kind of a token that is punctuation: its own text. */
export type PunctuationKind = (typeof punctuation)[number];

/** The kind of a token: a fixed token is named by its own text. @spec 20 §2.4 */
export type TokenKind =
  | PunctuationKind
  | "bundle+"
  | "bundle-"
  | (typeof reservedWords)[number]
  | "identifier"
  | "integer"
  | "string"
  | "uri"
  | "end";

/** A reserved word's kind by its text; the kind is the same (interned) string, so that kinds compare as pointers. */
export const reservedKinds: ReadonlyMap<string, TokenKind> = new Map(reservedWords.map((word) => [word, word]));

/** Every token that can begin a process. @spec 20 §3.1 */
export const processStarts: ReadonlySet<TokenKind> = new Set<TokenKind>([
  "identifier",
  "_",
  "@",
  "*",
  "(",
  "{",
  "[",
  "-",
  "~",
  "=",
  "integer",
  "string",
  "uri",
  "true",
  "false",
  "Nil",
  "Set",
  "Bool",
  "Int",
  "String",
  "Uri",
  "ByteArray",
  "not",
  "if",
  "new",
  "contract",
  "for",
  "select",
  "match",
  "let",
  "bundle",
  "bundle+",
  "bundle-",
  "bundle0",
]);
