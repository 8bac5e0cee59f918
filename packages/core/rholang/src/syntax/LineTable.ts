import type { SourcePosition } from "../InterpreterError.js";

/** Represents the place `-1:-1` of productions that have no position (20 §2.3). */
export const noPosition = -1;

/** Represents the place `0:0` of terms from desugaring (20 §2.3). */
export const desugaredPosition = -2;

/**
 * Turns offsets in a text into lines and columns.
 *
 * @spec 20 §2.3
 * @cost the first question reads the text once, each further one is a binary search
 */
export class LineTable {
  private lineStarts: number[] | undefined = undefined;

  constructor(private readonly source: string) {}

  /** @param offset in UTF-16 units, or one of {@link noPosition}, {@link desugaredPosition} */
  positionAt(offset: number): SourcePosition {
    if (offset === noPosition) return { line: -1, column: -1 };
    if (offset === desugaredPosition) return { line: 0, column: 0 };
    const starts = this.starts();
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    return { line: low + 1, column: offset - starts[low]! + 1, offset };
  }

  /** The text of a line (counted from 1) without its line break. */
  lineText(line: number): string {
    const starts = this.starts();
    const end = starts[line] ?? this.source.length;
    return this.source.slice(starts[line - 1] ?? end, end).replace(/[\n\r\v\f\u0085\u2028\u2029]+$/, "");
  }

  private starts(): number[] {
    if (this.lineStarts === undefined) this.lineStarts = findLineStarts(this.source);
    return this.lineStarts;
  }
}

function findLineStarts(source: string): number[] {
  const starts = [0];
  for (let i = 0; i < source.length; i += 1) {
    const unit = source.charCodeAt(i);
    if (isLineBreak(unit) && !(unit === 0x0d && source.charCodeAt(i + 1) === 0x0a)) starts.push(i + 1);
  }
  return starts;
}

/** LF, VT, FF, CR, NEL, LS, PS: what ends a line, and what the lexer's "any character" leaves out. @spec 20 §2.2, §2.3 */
export function isLineBreak(unit: number): boolean {
  return (unit >= 0x0a && unit <= 0x0d) || unit === 0x85 || unit === 0x2028 || unit === 0x2029;
}
