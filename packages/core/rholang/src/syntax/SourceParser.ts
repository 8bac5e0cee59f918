import type { Name, Process } from "./ast.js";
import type { LineTable } from "./LineTable.js";
import { Parser } from "./Parser.js";
import type { TokenKind } from "./token.js";

/** A piece of a program's text; offsets in UTF-16 units, `end` behind the last. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One token of a program, with its place. */
export interface SourceToken extends Span {
  readonly kind: TokenKind;
}

/** `// …` without its line break, or a block comment whole; `before` is the index of the token that follows it. */
export interface Comment extends Span {
  readonly before: number;
}

/** A sign around a process that left no trace in it; `token` is the index of the opening one. */
export interface Wrapping {
  readonly sign: "(" | "{";
  readonly token: number;
}

/** A program for tools: the processes that the compiler gets, and everything of the text that it does not need. */
export interface ParsedSource {
  readonly source: string;
  readonly process: Process;
  readonly lines: LineTable;
  /** The last is of kind `end`. */
  readonly tokens: readonly SourceToken[];
  readonly comments: readonly Comment[];
  /** Around a process, the innermost first. */
  readonly wrappings: ReadonlyMap<Process, readonly Wrapping[]>;
  /** The places of processes and names, without their wrapping; parts that the text leaves out have none. */
  readonly spans: ReadonlyMap<Process | Name, Span>;
}

/**
 * Parses a program for formatter, linter and editors: the same grammar, errors and processes as {@link parseProgram}.
 *
 * @spec 20 §2, §3
 * @throws {InterpreterError} as {@link parseProgram}
 * @cost linear in the text, with some objects for each token; native stack for each level of nesting
 */
export function parseSource(source: string, maxTokens?: number): ParsedSource {
  return new SourceParser(source, maxTokens).parsed();
}

/** Where the parser goes, this notes what it passes; the parser of the node pays nothing for it. */
class SourceParser extends Parser {
  private readonly wrappings = new Map<Process, Wrapping[]>();
  private readonly spans = new Map<Process | Name, Span>();
  // Made by the first token, which the constructor of the lexer reads before fields of this class could be set.
  declare private passed: SourceToken[];
  declare private passedComments: Comment[];

  parsed(): ParsedSource {
    const process = this.program();
    const { source, lines, passed: tokens, passedComments: comments, wrappings, spans } = this;
    return { source, process, lines, tokens, comments, wrappings, spans };
  }

  protected override advance(): void {
    this.passed ??= [];
    this.passedComments ??= [];
    super.advance();
    this.passed.push({ kind: this.kind, start: this.start, end: this.end });
  }

  protected override passComment(start: number, end: number): void {
    this.passedComments.push({ start, end, before: this.passed.length });
  }

  protected override process(minLevel: number): Process {
    const first = this.passed.length - 1;
    const process = super.process(minLevel);
    this.note(process, first);
    return process;
  }

  protected override name(): Name {
    const first = this.passed.length - 1;
    const name = super.name();
    this.note(name, first);
    return name;
  }

  protected override prefix(minLevel: number): Process {
    const first = this.passed.length - 1;
    const process = super.prefix(minLevel);
    this.note(process, first);
    return process;
  }

  protected override infix(...[infix, left, position]: Parameters<Parser["infix"]>): Process {
    const process = super.infix(infix, left, position);
    const start = this.outerStart(left);
    this.spans.set(process, { start, end: this.passed[this.passed.length - 2]!.end });
    return process;
  }

  protected override parentheses(minLevel: number): Process {
    const token = this.passed.length - 1;
    const inner = super.parentheses(minLevel);
    if (this.spans.has(inner)) this.wrap(inner, "(", token);
    return inner;
  }

  protected override braces(): Process {
    const token = this.passed.length - 1;
    const inner = super.braces();
    if (this.spans.has(inner)) this.wrap(inner, "{", token);
    return inner;
  }

  /** A separate object for each, since its place is recorded. */
  protected override groundHere(): Process | undefined {
    return this.kind === "Nil" ? { kind: "Nil" } : super.groundHere();
  }

  private wrap(process: Process, sign: "(" | "{", token: number): void {
    const known = this.wrappings.get(process);
    if (known === undefined) this.wrappings.set(process, [{ sign, token }]);
    else known.push({ sign, token });
  }

  private outerStart(process: Process): number {
    const outermost = this.wrappings.get(process)?.at(-1);
    return outermost === undefined ? this.spans.get(process)!.start : this.passed[outermost.token]!.start;
  }

  private note(node: Process | Name, first: number): void {
    if (this.spans.has(node)) return;
    this.spans.set(node, { start: this.passed[first]!.start, end: this.passed[this.passed.length - 2]!.end });
  }
}
