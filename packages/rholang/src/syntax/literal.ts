/**
 * The value of a string literal: its text without the quotes, escapes decoded.
 *
 * @spec 20 §2.5
 * @param text a whole literal as the lexer accepts it, so that only `\"`, `\\`, `\n` and `\t` can occur
 */
export function decodeString(text: string): string {
  const inner = text.slice(1, -1);
  return inner.includes("\\") ? inner.replace(/\\(.)/g, decodeEscape) : inner;
}

function decodeEscape(_escape: string, letter: string): string {
  if (letter === "n") return "\n";
  return letter === "t" ? "\t" : letter;
}

/**
 * The value of a URI literal: its text without the backticks.
 *
 * Quirk 20 §2.5: nothing is unescaped, a backslash stays.
 *
 * @spec 20 §2.5
 */
export function decodeUri(text: string): string {
  return text.slice(1, -1);
}
