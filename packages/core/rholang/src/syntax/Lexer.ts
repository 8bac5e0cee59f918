import { countWork } from "@vedette/terms";
import { InterpreterError } from "../InterpreterError.js";
import { isLineBreak, LineTable } from "./LineTable.js";
import { type PunctuationKind, punctuation, reservedKinds, type TokenKind } from "./token.js";

const letter = 1;
const digit = 2;
const blank = 4;
const underscore = 8;
const quote = 16;
const wordPart = letter | digit | underscore | quote;

/** A compiled program takes some hundred bytes a token; where a thread's memory ends, the whole process may. */
export const usualMostTokens = 1_000_000;

const tokensBetweenCounts = 1024;
/** Reading a token and making a process of it takes as long as this many steps of a match. */
const tokenUnits = 16;

/** Classes of the units below 256; no unit above belongs to any. @spec 20 §2.1, §2.4 */
const unitClasses = classifyUnits();

/** By first unit: the tokens that begin with it, the longest first. */
const punctuationByUnit: readonly (readonly PunctuationKind[])[] = tabulatePunctuation();
const noPunctuation: readonly PunctuationKind[] = [];

/**
 * Reads the tokens of a program one at a time: the current one is in `kind`, `start` and `end`.
 *
 * A token is read when the one before it was accepted, not earlier, because rnode reports a syntax error
 * in front of an illegal character and not the character. Longest match; linear in the text.
 *
 * @spec 20 §2
 */
export class Lexer {
  readonly lines: LineTable;
  /** The current token. */
  protected kind: TokenKind = "end";
  /** Offset of its first unit, and the offset after its last. */
  protected start = 0;
  protected end = 0;
  private tokens = 0;

  constructor(
    protected readonly source: string,
    private readonly maxTokens = usualMostTokens,
  ) {
    this.lines = new LineTable(source);
    this.advance();
  }

  /** The current token's text. */
  protected text(): string {
    return this.source.slice(this.start, this.end);
  }

  /** Goes on to the next token. @throws {InterpreterError} `LexerError`, `UnrecognizedInterpreterError`, `ProgramTooLarge` */
  protected advance(): void {
    const at = this.skipBlanks(this.end);
    this.start = at;
    this.tokens += 1;
    if (this.tokens % tokensBetweenCounts === 0) countWork(tokensBetweenCounts * tokenUnits);
    if (this.tokens > this.maxTokens) throw new InterpreterError({ class: "ProgramTooLarge", limit: this.maxTokens });
    if (at >= this.source.length) {
      this.end = at;
      this.kind = "end";
      return;
    }
    const unit = this.source.charCodeAt(at);
    const unitClass = unit < 256 ? unitClasses[unit]! : 0;
    if ((unitClass & (letter | quote | underscore)) !== 0) this.readWord(unitClass);
    else if (unitClass === digit) this.readInteger();
    else if (unit === 0x22) this.readString();
    else if (unit === 0x60) this.readUri();
    else this.readPunctuation(unit);
  }

  /** Refuses the current token. @spec 20 §2.6 */
  protected unexpected(): never {
    const at = this.lines.positionAt(this.start);
    const found = this.kind === "end" ? undefined : this.text();
    throw new InterpreterError({ class: "SyntaxError", found, at });
  }

  /** Passes over white space and comments. */
  private skipBlanks(from: number): number {
    const source = this.source;
    let at = from;
    for (;;) {
      const unit = source.charCodeAt(at);
      if (unit < 256 && unitClasses[unit] === blank) at += 1;
      else if (unit === 0x2f && source.charCodeAt(at + 1) === 0x2f) {
        // Quirk 20 §2.2: only LF ends a line comment.
        const lineFeed = source.indexOf("\n", at);
        const end = lineFeed < 0 ? source.length : lineFeed;
        this.passComment(at, end);
        at = end;
      } else if (unit === 0x2f && source.charCodeAt(at + 1) === 0x2a) {
        const end = this.skipBlockComment(at + 2);
        this.passComment(at, end);
        at = end;
      } else return at;
    }
  }

  /** For tools that keep comments; `end` lies behind the last unit. */
  protected passComment(_start: number, _end: number): void {}

  private skipBlockComment(from: number): number {
    const source = this.source;
    for (let at = from; at < source.length; at += 1) {
      const unit = source.charCodeAt(at);
      if (unit === 0x2a && source.charCodeAt(at + 1) === 0x2f) return at + 2;
      // Quirk 20 §2.2: of the line breaks only LF is allowed in a block comment.
      if (unit !== 0x0a && isLineBreak(unit)) this.unmatched(at);
    }
    // Quirk 20 §2.2: a block comment without an end is accepted.
    return source.length;
  }

  private readWord(firstClass: number): void {
    const source = this.source;
    let at = this.start + 1;
    for (;;) {
      const unit = source.charCodeAt(at);
      if (unit < 256 && (unitClasses[unit]! & wordPart) !== 0) at += 1;
      else break;
    }
    this.end = at;
    if (firstClass === underscore) {
      this.kind = at === this.start + 1 ? "_" : "identifier";
      return;
    }
    const length = at - this.start;
    const kind = length > 1 && length < 10 ? reservedKinds.get(source.slice(this.start, at)) : undefined;
    this.kind = kind ?? "identifier";
    if (kind === "bundle") this.readBundleSign();
  }

  private readBundleSign(): void {
    const unit = this.source.charCodeAt(this.end);
    if (unit !== 0x2b && unit !== 0x2d) return;
    this.kind = unit === 0x2b ? "bundle+" : "bundle-";
    this.end += 1;
  }

  private readInteger(): void {
    let at = this.start + 1;
    while (unitClasses[this.source.charCodeAt(at)] === digit) at += 1;
    this.take("integer", at - this.start);
  }

  /** A string that does not end, or holds another escape than `\" \\ \n \t`, is no token at all. */
  private readString(): void {
    const source = this.source;
    for (let at = this.start + 1; at < source.length; at += 1) {
      const unit = source.charCodeAt(at);
      if (unit === 0x22) {
        this.take("string", at + 1 - this.start);
        return;
      }
      if (unit === 0x5c) {
        at += 1;
        const escaped = source.charCodeAt(at);
        if (escaped !== 0x22 && escaped !== 0x5c && escaped !== 0x6e && escaped !== 0x74) break;
      }
    }
    this.illegal();
  }

  private readUri(): void {
    const source = this.source;
    for (let at = this.start + 1; at < source.length; at += 1) {
      const unit = source.charCodeAt(at);
      if (unit === 0x60) {
        this.take("uri", at + 1 - this.start);
        return;
      }
      if (unit === 0x5c) {
        at += 1;
        const escaped = source.charCodeAt(at);
        if (escaped !== 0x60 && escaped !== 0x5c) break;
      }
    }
    this.illegal();
  }

  private readPunctuation(unit: number): void {
    for (const kind of punctuationByUnit[unit] ?? noPunctuation)
      if (kind.length === 1 || this.source.startsWith(kind, this.start)) {
        this.take(kind, kind.length);
        return;
      }
    if (isLineBreak(unit)) this.unmatched(this.start);
    this.illegal();
  }

  private take(kind: TokenKind, length: number): void {
    this.kind = kind;
    this.end = this.start + length;
  }

  private illegal(): never {
    const character = String.fromCodePoint(this.source.codePointAt(this.start)!);
    throw new InterpreterError({ class: "LexerError", character, at: this.lines.positionAt(this.start) });
  }

  /** Quirk 20 §2.6: no rule of rnode's lexer matches here, and it fails with an error of another kind. */
  private unmatched(offset: number): never {
    throw new InterpreterError({ class: "UnrecognizedInterpreterError", at: this.lines.positionAt(offset) });
  }
}

function classifyUnits(): Uint8Array {
  const classes = new Uint8Array(256);
  for (let unit = 0x30; unit <= 0x39; unit += 1) classes[unit] = digit;
  for (let unit = 0x41; unit <= 0x5a; unit += 1) classes[unit] = letter;
  for (let unit = 0x61; unit <= 0x7a; unit += 1) classes[unit] = letter;
  // All of Latin-1's letters; between them lie the signs × and ÷.
  for (let unit = 0xc0; unit <= 0xff; unit += 1) classes[unit] = unit === 0xd7 || unit === 0xf7 ? 0 : letter;
  for (const unit of [0x20, 0x09, 0x0a, 0x0c, 0x0d]) classes[unit] = blank;
  classes[0x5f] = underscore;
  classes[0x27] = quote;
  return classes;
}

function tabulatePunctuation(): PunctuationKind[][] {
  const table: PunctuationKind[][] = Array.from({ length: 128 }, () => []);
  for (const kind of punctuation) table[kind.charCodeAt(0)]!.push(kind);
  for (const kinds of table) kinds.sort((left, right) => right.length - left.length);
  return table;
}
