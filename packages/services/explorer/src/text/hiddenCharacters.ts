/**
 * Characters that are not seen as what they are: controls, marks that turn the direction of writing, blanks without
 * width, tags, and halves of characters. A text from a chain may pretend to be another one by them.
 */
const strange =
  // biome-ignore-start lint/suspicious/noControlCharactersInRegex: these are what is looked for
  // biome-ignore-start lint/suspicious/noMisleadingCharacterClass: each of them by itself is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\u{e0000}-\u{e0fff}]|\p{Surrogate}/gu;
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: these are what is looked for
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: each of them by itself is looked for

/** A piece of a text, and whether it is a character that has to be shown by its number. */
export interface TextPiece {
  readonly text: string;
  readonly isStrange: boolean;
}

/** Splits a text so that nothing in it stays hidden: `a\u202Eb` becomes `a`, `U+202E`, `b`. */
export function piecesOfText(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let end = 0;
  for (const match of text.matchAll(strange)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), isStrange: false });
    const code = match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0");
    pieces.push({ text: `U+${code}`, isStrange: true });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), isStrange: false });
  return pieces;
}

/** Returns a text for places where only text is allowed, such as a tooltip: strange characters by their numbers. */
export function plainText(text: string): string {
  return piecesOfText(text)
    .map((piece) => (piece.isStrange ? `⟨${piece.text}⟩` : piece.text))
    .join("");
}
