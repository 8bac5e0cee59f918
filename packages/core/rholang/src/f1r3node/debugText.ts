/**
 * Characters without a visible form: controls, blanks but the usual one, unassigned ones, marks on other characters.
 */
const unseen = /[\p{C}\p{Z}\p{Grapheme_Extend}]/u;

/** A text in quotation marks, as f1r3node's debug forms show it. */
export function debugText(text: string): string {
  let result = '"';
  for (const character of text) result += debugCharacter(character);
  return `${result}"`;
}

/** A character of a text as f1r3node's debug forms show it, without quotation marks. */
export function debugCharacter(character: string): string {
  switch (character) {
    case '"':
      return '\\"';
    case "\\":
      return "\\\\";
    case "\n":
      return "\\n";
    case "\r":
      return "\\r";
    case "\t":
      return "\\t";
    case "\0":
      return "\\0";
  }
  if (character === " " || !unseen.test(character)) return character;
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
