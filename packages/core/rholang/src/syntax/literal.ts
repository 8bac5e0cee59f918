const backslash = 0x5c;
/** As many characters as a call takes arguments, and far fewer than would be too many. */
const pieceLength = 8_192;
const decoded: ReadonlyMap<number, number> = new Map([
  ["n".charCodeAt(0), 0x0a],
  ["t".charCodeAt(0), 0x09],
]);

/**
 * The value of a string literal: its text without the quotes, escapes decoded.
 *
 * @spec 20 §2.5
 * @param text a whole literal as the lexer accepts it, so that only `\"`, `\\`, `\n` and `\t` can occur
 * @cost one pass and two bytes a character, however many escapes there are: no object for each of them
 */
export function decodeString(text: string): string {
  const end = text.length - 1;
  if (!text.includes("\\")) return text.slice(1, end);
  const piece = new Uint16Array(pieceLength);
  let value = "";
  let length = 0;
  for (let at = 1; at < end; at += 1) {
    let code = text.charCodeAt(at);
    if (code === backslash) {
      at += 1;
      const letter = text.charCodeAt(at);
      code = decoded.get(letter) ?? letter;
    }
    piece[length] = code;
    length += 1;
    if (length === pieceLength) {
      value += String.fromCharCode.apply(null, piece as unknown as number[]);
      length = 0;
    }
  }
  return value + String.fromCharCode.apply(null, piece.subarray(0, length) as unknown as number[]);
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
