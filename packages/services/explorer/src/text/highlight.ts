/** A piece of a program, and what it is; `undefined` is everything else. */
export interface CodePiece {
  readonly text: string;
  readonly kind: "word" | "text" | "number" | "note" | "place" | undefined;
  /** Whether it is a text that is a public name, as in `@"shelf"!(1)`. */
  readonly isName?: boolean;
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
    const isName = kind === "text" && isNameAt(source, match.index, match.index + match[0].length);
    pieces.push({ text: match[0], kind, ...(isName && { isName }) });
    end = match.index + match[0].length;
  }
  if (end < source.length) pieces.push({ text: source.slice(end), kind: undefined });
  return pieces;
}

/** Whether a text between these places is a name that is sent to, received from, or has a contract: no pattern. */
function isNameAt(source: string, start: number, end: number): boolean {
  if (source[start - 1] !== "@") return false;
  const isSource = /(?:<-|<=|<<-|\bcontract)\s*@$/.test(source.slice(Math.max(0, start - 40), start));
  return isSource || /^\s*!/.test(source.slice(end, end + 40));
}

/** The same by lines, without their ends. */
export function linesOfCode(source: string): CodePiece[][] {
  const lines: CodePiece[][] = [[]];
  for (const piece of piecesOfCode(source)) {
    const parts = piece.text.split(/\r\n|\n|\r/);
    if (parts.length === 1) lines.at(-1)!.push(piece);
    else
      for (const [index, text] of parts.entries()) {
        if (index > 0) lines.push([]);
        if (text !== "") lines.at(-1)!.push({ text, kind: piece.kind });
      }
  }
  return lines;
}
