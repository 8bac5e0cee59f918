/** A piece of a program, and what it is; `undefined` is everything else. */
export interface CodePiece {
  readonly text: string;
  readonly kind: "word" | "text" | "number" | "note" | "place" | undefined;
}

const words =
  "new in for contract match where select if else let bundle bundle0 matches not and or Nil true false Bool Int String ByteArray Uri Set";
const isWord = new Set(words.split(" "));
const token =
  /(?<note>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))|(?<text>"(?:\\[\s\S]|[^"\\])*(?:"|$))|(?<place>`[^`\n]*`?)|(?<number>\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?:[fiu]\d+|[nr]|p\d+)?\b)|(?<word>[A-Za-z_]\w*)/g;

/** Splits a program into pieces for colours. It need not be a right one: whatever is odd has no colour. */
export function piecesOfCode(source: string): CodePiece[] {
  const pieces: CodePiece[] = [];
  let end = 0;
  for (const match of source.matchAll(token)) {
    const { note, text, place, number, word } = match.groups!;
    if (word !== undefined && !isWord.has(word)) continue;
    if (match.index > end) pieces.push({ text: source.slice(end, match.index), kind: undefined });
    const kind = note ? "note" : text ? "text" : place ? "place" : number ? "number" : "word";
    pieces.push({ text: match[0], kind });
    end = match.index + match[0].length;
  }
  if (end < source.length) pieces.push({ text: source.slice(end), kind: undefined });
  return pieces;
}

/** The same by lines, without their ends. */
export function linesOfCode(source: string): CodePiece[][] {
  const lines: CodePiece[][] = [[]];
  for (const { text, kind } of piecesOfCode(source))
    for (const [index, part] of text.split(/\r\n|\n|\r/).entries()) {
      if (index > 0) lines.push([]);
      if (part !== "") lines.at(-1)!.push({ text: part, kind });
    }
  return lines;
}
