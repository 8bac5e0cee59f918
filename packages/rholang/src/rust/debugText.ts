/** A text in quotation marks, as the newer node's debug forms show it. */
export function debugText(text: string): string {
  let result = '"';
  for (const character of text) result += escaped(character);
  return `${result}"`;
}

function escaped(character: string): string {
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
  const code = character.codePointAt(0)!;
  return code < 0x20 || code === 0x7f ? `\\u{${code.toString(16)}}` : character;
}
