import { countWork } from "@vedette/terms";
import { InterpreterError, spannedError } from "../../InterpreterError.js";
import { usualMostTokens } from "../../syntax/Lexer.js";
import { type NumberToken, numberAt } from "./numberToken.js";
import { longestSource, type PackedSpan, packSpan } from "./PackedSpan.js";
import { SpanTable } from "./SpanTable.js";

const tokensBetweenCounts = 1024;
/** Reading a token and making a process of it takes as long as this many steps of a match. */
const tokenUnits = 16;

/** Words that are no names anywhere; the other keywords are names where no process is expected. @spec 61 §4 */
const reserved: ReadonlySet<string> = new Set([
  ...["new", "if", "else", "let", "match", "select", "contract", "for", "or", "and", "matches", "not"],
  ...["bundle", "true", "false", "where"],
]);

const word = /[a-zA-Z][a-zA-Z0-9_']*|_[a-zA-Z0-9_']*/y;

/**
 * Reads a program piece by piece. f1r3node's lexer knows at each place which tokens could come there, so that there is
 * no separate list of tokens: the parser requests the ones that it can use.
 *
 * @spec 61 §4
 */
export class F1r3nodeScanner {
  readonly spans: SpanTable;
  /** Where the next token begins. */
  protected at = 0;
  /** Where the last one ended. */
  protected lastEnd = 0;
  /** Where the first token begins. */
  protected readonly first: number;
  private tokens = 0;
  private noCommentFrom = Number.POSITIVE_INFINITY;

  constructor(
    protected readonly source: string,
    private readonly maxTokens = usualMostTokens,
  ) {
    this.spans = new SpanTable(source);
    if (source.length > longestSource) this.tooLarge();
    // No token holds one, strings and comments included.
    const nul = source.indexOf("\0");
    if (nul >= 0) this.refuse("unexpected NUL", nul);
    // A mark of the byte order is passed over at the beginning only.
    this.at = this.behindBlanks(source.charCodeAt(0) === 0xfeff ? 1 : 0);
    this.first = this.at;
  }

  /** The first unit of the next token; NaN at the end. */
  protected get unit(): number {
    return this.source.charCodeAt(this.at);
  }

  protected get isAtEnd(): boolean {
    return this.at >= this.source.length;
  }

  protected next(text: string): boolean {
    return this.source.startsWith(text, this.at);
  }

  /** Passes over a token of this length. */
  protected advance(length: number): void {
    this.lastEnd = this.at + length;
    this.at = this.behindBlanks(this.lastEnd);
    this.tokens += 1;
    if (this.tokens % tokensBetweenCounts === 0) countWork(tokensBetweenCounts * tokenUnits);
    if (this.tokens > this.maxTokens) this.tooLarge();
  }

  /** Passes over a token, if it comes next. */
  protected take(text: string): boolean {
    if (!this.next(text)) return false;
    this.advance(text.length);
    return true;
  }

  protected expect(text: string): void {
    if (!this.take(text)) this.unexpected();
  }

  /** The word that comes next, keyword or name; the empty text where none does. */
  protected wordHere(): string {
    word.lastIndex = this.at;
    return word.exec(this.source)?.[0] ?? "";
  }

  protected takeWord(text: string): boolean {
    if (this.wordHere() !== text) return false;
    this.advance(text.length);
    return true;
  }

  protected expectWord(text: string): void {
    if (!this.takeWord(text)) this.unexpected();
  }

  /** A name; keywords that are not reserved are names here. */
  protected identifier(): string {
    const name = this.wordHere();
    if (name === "" || name === "_" || reserved.has(name)) this.unexpected();
    this.advance(name.length);
    return name;
  }

  protected isReserved(name: string): boolean {
    return reserved.has(name);
  }

  /** The number that comes next, with its sign. */
  protected numberHere(): NumberToken | undefined {
    return numberAt(this.source, this.at);
  }

  /** Length of the string that comes next, with its quotes; 0 where none does. */
  protected stringLength(): number {
    const { source } = this;
    for (let end = this.at + 1; end < source.length; end += 1) {
      const unit = source.charCodeAt(end);
      if (unit === 0x22) return end + 1 - this.at;
      if (unit !== 0x5c) continue;
      end += 1;
      if (!/[0-9nrt\\"]/.test(source.charAt(end))) return 0;
    }
    return 0;
  }

  /** Length of the URI that comes next, with its backticks; 0 where none does. */
  protected uriLength(): number {
    const end = this.source.indexOf("`", this.at + 1);
    return end <= this.at + 1 ? 0 : end + 1 - this.at;
  }

  protected spanFrom(start: number): PackedSpan {
    return packSpan(start, Math.max(start, this.lastEnd));
  }

  protected unexpected(): never {
    const found = this.isAtEnd ? "the end of the text" : `'${String.fromCodePoint(this.source.codePointAt(this.at)!)}'`;
    this.refuse(`unexpected ${found}`);
  }

  /** @throws {InterpreterError} `ParserError` */
  protected refuse(reason: string, offset = this.at): never {
    const at = this.spans.positionAt(offset);
    throw spannedError("ParserError", `Parser error: Parse failed: ${reason} at ${at.line}:${at.column}`, at);
  }

  private tooLarge(): never {
    throw new InterpreterError({ class: "ProgramTooLarge", limit: this.maxTokens });
  }

  /** Receives each comment, a line comment without its line break. */
  protected passComment(_start: number, _end: number): void {}

  /** TAB to CR and blanks, line comments, block comments that end; one that does not is a division. */
  private behindBlanks(from: number): number {
    const { source } = this;
    let at = from;
    for (;;) {
      const unit = source.charCodeAt(at);
      if (unit === 0x20 || (unit >= 0x09 && unit <= 0x0d)) at += 1;
      else if (unit === 0x2f && source.charCodeAt(at + 1) === 0x2f) {
        const end = source.indexOf("\n", at);
        const behind = end < 0 ? source.length : end;
        this.passComment(at, behind);
        at = behind;
      } else if (unit === 0x2f && source.charCodeAt(at + 1) === 0x2a && at < this.noCommentFrom) {
        const end = source.indexOf("*/", at + 2);
        if (end < 0) {
          this.noCommentFrom = at;
          return at;
        }
        this.passComment(at, end + 2);
        at = end + 2;
      } else return at;
    }
  }
}
