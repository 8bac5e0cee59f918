import { parsingCost as utf8Length } from "../../cost/costs.js";
import type { SourcePosition } from "../../InterpreterError.js";
import { endOf, type PackedSpan, startOf } from "./PackedSpan.js";

/**
 * Turns places in a text into lines and columns as f1r3node shows them: a line ends with LF alone, and columns
 * count bytes of UTF-8.
 *
 * @spec 61 §4
 * @cost the first question reads the text once, each further one a line
 */
export class SpanTable {
  private lineStarts: number[] | undefined = undefined;

  constructor(private readonly source: string) {}

  positionAt(offset: number): SourcePosition {
    const starts = (this.lineStarts ??= lineStartsOf(this.source));
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    const column = utf8Length(this.source.slice(starts[low], offset)) + 1;
    return { line: low + 1, column, offset };
  }

  startAt(span: PackedSpan): SourcePosition {
    return this.positionAt(startOf(span));
  }

  /** `1:2 - 1:5` */
  shown(span: PackedSpan): string {
    const start = this.startAt(span);
    const end = this.positionAt(endOf(span));
    return `${start.line}:${start.column} - ${end.line}:${end.column}`;
  }

  /** As f1r3node shows the places of lists, with the names of its fields. */
  spelled(span: PackedSpan): string {
    const point = ({ line, column }: SourcePosition) => `SourcePos { line: ${line}, col: ${column} }`;
    return `SourceSpan { start: ${point(this.startAt(span))}, end: ${point(this.positionAt(endOf(span)))} }`;
  }
}

function lineStartsOf(source: string): number[] {
  const starts = [0];
  for (let at = source.indexOf("\n"); at >= 0; at = source.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}
