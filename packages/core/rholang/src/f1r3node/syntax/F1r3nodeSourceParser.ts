import { LineTable } from "../../syntax/LineTable.js";
import type { Comment, Span } from "../../syntax/SourceParser.js";
import { appendFloatWidths, placesWithoutWidths } from "./appendFloatWidths.js";
import type { F1r3nodeProcess } from "./ast.js";
import { F1r3nodeParser } from "./F1r3nodeParser.js";
import { endOf, type PackedSpan, startOf } from "./PackedSpan.js";
import type { SpanTable } from "./SpanTable.js";

/** One token of a program, with its place; its kind is its text. */
export interface F1r3nodeToken extends Span {
  readonly kind: string;
}

/** A program of f1r3node for tools: its processes, and what of its text the compiler does not need. */
export interface F1r3nodeParsedSource {
  readonly source: string;
  readonly process: F1r3nodeProcess;
  readonly lines: LineTable;
  /** The last is of kind `end`. */
  readonly tokens: readonly F1r3nodeToken[];
  readonly comments: readonly Comment[];
  /** Around a process, the innermost first: they leave no trace in it. */
  readonly wrappings: ReadonlyMap<F1r3nodeProcess, readonly { readonly sign: "(" | "{" }[]>;
  /** Where the closing parenthesis belongs that the program lacks, and that the node does without. */
  readonly unclosedAt: number | undefined;
  /** Agents: their processes are the expansions, which the text does not contain. */
  readonly agents: ReadonlyMap<F1r3nodeProcess, Span>;
  /** For errors, which show places in the text with widths. */
  readonly spans: SpanTable;
  /** Returns a place in the text as it was written. */
  readonly spanOf: (span: PackedSpan) => Span;
}

/**
 * Parses a program of f1r3node for tools: the same grammar, errors and processes as `parseF1r3nodeProgram`, with
 * places in the text as it was written, before floats are given their widths.
 *
 * @spec 61 §4
 * @throws {InterpreterError} as `parseF1r3nodeProgram`
 * @cost linear in the text, with an object for each token; native stack for each level of nesting
 */
export function parseF1r3nodeSource(source: string, maxTokens?: number): F1r3nodeParsedSource {
  return new F1r3nodeSourceParser(source, maxTokens).parsed();
}

/** Where the parser goes, this notes what it passes; the parser of the node pays nothing for it. */
class F1r3nodeSourceParser extends F1r3nodeParser {
  private readonly wrappings = new Map<F1r3nodeProcess, { readonly sign: "(" | "{" }[]>();
  private readonly agents = new Map<F1r3nodeProcess, Span>();
  private unclosedEnd: number | undefined;
  private readonly placeOf: (offset: number) => number;
  // A comment may be passed by the constructor of the scanner, before fields of this class could be set.
  declare private passed: F1r3nodeToken[];
  declare private passedComments: Comment[];

  constructor(
    private readonly written: string,
    maxTokens: number | undefined,
  ) {
    super(appendFloatWidths(written), maxTokens);
    this.placeOf = placesWithoutWidths(written);
    this.passed ??= [];
    this.passedComments ??= [];
  }

  parsed(): F1r3nodeParsedSource {
    const process = this.program();
    const { written: source, wrappings, agents, unclosedEnd } = this;
    const unclosedAt = unclosedEnd === undefined ? undefined : this.placeOf(unclosedEnd);
    const end = { kind: "end", start: source.length, end: source.length };
    const tokens = [...this.passed.map((token) => this.placed(token)), end];
    const comments = this.passedComments.map((comment) => this.placed(comment));
    const spanOf = (span: PackedSpan) => this.placed({ start: startOf(span), end: endOf(span) });
    const lines = new LineTable(source);
    return { source, process, lines, tokens, comments, wrappings, unclosedAt, agents, spans: this.spans, spanOf };
  }

  protected override advance(length: number): void {
    const [start, end] = [this.at, this.at + length];
    this.passed.push({ kind: this.source.slice(start, end), start, end });
    super.advance(length);
  }

  protected override passComment(start: number, end: number): void {
    this.passed ??= [];
    this.passedComments ??= [];
    this.passedComments.push({ start, end, before: this.passed.length });
  }

  protected override parentheses(): F1r3nodeProcess {
    const start = this.at;
    return this.wrapped(super.parentheses(), "(", start);
  }

  protected override endsUnclosed(start: number): boolean {
    const isUnclosed = super.endsUnclosed(start);
    if (isUnclosed) this.unclosedEnd = this.lastEnd;
    return isUnclosed;
  }

  protected override braces(): F1r3nodeProcess {
    const start = this.at;
    return this.wrapped(super.braces(), "{", start);
  }

  protected override agent(): F1r3nodeProcess {
    const start = this.at;
    const process = super.agent();
    this.agents.set(process, this.placed({ start, end: this.lastEnd }));
    return process;
  }

  /** A tuple, `()` and a map begin with the sign themselves. */
  private wrapped(process: F1r3nodeProcess, sign: "(" | "{", start: number): F1r3nodeProcess {
    if (startOf(process.span) === start) return process;
    const known = this.wrappings.get(process);
    if (known === undefined) this.wrappings.set(process, [{ sign }]);
    else known.push({ sign });
    return process;
  }

  private placed<T extends Span>(part: T): T {
    return { ...part, start: this.placeOf(part.start), end: this.placeOf(part.end) };
  }
}
