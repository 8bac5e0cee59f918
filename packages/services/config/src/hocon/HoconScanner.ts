import { ConfigError, type ConfigProblemCode } from "../ConfigError.js";
import type { ValueLocation } from "./hoconNode.js";

// The characters that end an unquoted word, beside white space and the start of a comment.
const reserved = '$"{}[]:=,+#`^?!@*&\\';
// The one place where a word has a reserved character: the sign of a JSON number's exponent.
const signedExponent = /-?\d+(\.\d+)?[eE]\+\d+/y;
const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/**
 * Reads the smallest parts of a HOCON text and knows where it is.
 *
 * @spec 50 §5.2
 */
export class HoconScanner {
  #offset = 0;
  readonly #lineStarts: readonly number[];

  constructor(
    private readonly text: string,
    private readonly source: string,
  ) {
    this.#lineStarts = [0, ...Array.from(text.matchAll(/\n/g), (newline) => newline.index + 1)];
    if (text.startsWith("\ufeff")) this.#offset = 1;
  }

  get offset(): number {
    return this.#offset;
  }

  isAtEnd(): boolean {
    return this.#offset >= this.text.length;
  }

  /** Whether the text goes on with these characters. */
  sees(text: string): boolean {
    return this.text.startsWith(text, this.#offset);
  }

  /** Goes over these characters if the text goes on with them. */
  accept(text: string): boolean {
    if (!this.sees(text)) return false;
    this.#offset += text.length;
    return true;
  }

  expect(text: string, purpose: string): void {
    if (!this.accept(text)) this.fail(`expected ${JSON.stringify(text)} ${purpose}, found ${this.describe()}`);
  }

  /** The white space within the line. */
  space(): string {
    const start = this.#offset;
    while (isSpace(this.text[this.#offset])) this.#offset++;
    return this.text.slice(start, this.#offset);
  }

  isAtComment(): boolean {
    return this.sees("#") || this.sees("//");
  }

  /** Goes over white space, comments and newlines. @returns whether there was a newline */
  skipLines(): boolean {
    let crossed = false;
    for (;;) {
      this.space();
      if (this.isAtComment()) {
        while (!this.isAtEnd() && !this.sees("\n")) this.#offset++;
      }
      if (!this.accept("\n")) return crossed;
      crossed = true;
    }
  }

  isAtWord(): boolean {
    const character = this.text[this.#offset];
    return character !== undefined && !isSpace(character) && character !== "\n" && !this.#isReserved();
  }

  /** An unquoted word without white space; `stop` are further characters that end it. */
  word(stop = ""): string {
    const start = this.#offset;
    signedExponent.lastIndex = start;
    if (stop === "") this.#offset += signedExponent.exec(this.text)?.[0].length ?? 0;
    while (this.isAtWord() && !stop.includes(this.text[this.#offset]!)) this.#offset++;
    return this.text.slice(start, this.#offset);
  }

  /** A text within one or three quotation marks. */
  quoted(): string {
    const start = this.#offset;
    if (this.accept('"""')) return this.#tripleQuoted(start);
    this.expect('"', "before a text");
    let result = "";
    for (;;) {
      const character = this.text[this.#offset];
      if (character === undefined || character === "\n") this.fail("the text has no closing quotation mark", start);
      this.#offset++;
      if (character === '"') return result;
      result += character === "\\" ? this.#escaped() : character;
    }
  }

  /** Describes the next token, for people. */
  describe(): string {
    if (this.isAtEnd()) return "the end of the file";
    if (this.sees("\n")) return "the end of the line";
    const word = this.text.slice(this.#offset, this.#offset + 20).split(/[\s]/)[0]!;
    return JSON.stringify(word === "" ? this.text[this.#offset] : word);
  }

  origin(offset = this.#offset): ValueLocation {
    let line = 0;
    for (let end = this.#lineStarts.length; end - line > 1; ) {
      const middle = (line + end) >> 1;
      if (this.#lineStarts[middle]! <= offset) line = middle;
      else end = middle;
    }
    return { source: this.source, line: line + 1, column: offset - this.#lineStarts[line]! + 1 };
  }

  /** @throws {ConfigError} always */
  fail(text: string, offset = this.#offset, code: ConfigProblemCode = "syntax"): never {
    throw new ConfigError({ code: "unusable", problems: [{ code, text, origin: this.origin(offset) }] });
  }

  #isReserved(): boolean {
    return reserved.includes(this.text[this.#offset]!) || this.isAtComment();
  }

  #tripleQuoted(start: number): string {
    const end = this.text.indexOf('"""', this.#offset);
    if (end < 0) this.fail("the text has no closing quotation marks", start);
    let after = end + 3;
    // More than three marks at the end: all but the last three belong to the text.
    while (this.text[after] === '"') after++;
    const result = this.text.slice(this.#offset, after - 3);
    this.#offset = after;
    return result;
  }

  #escaped(): string {
    const start = this.#offset - 1;
    const character = this.text[this.#offset++] ?? "";
    const plain = escapes[character];
    if (plain !== undefined) return plain;
    const digits = this.text.slice(this.#offset, this.#offset + 4);
    if (character !== "u" || !/^[0-9a-fA-F]{4}$/.test(digits)) this.fail(`unknown escape "\\${character}"`, start);
    this.#offset += 4;
    return String.fromCharCode(Number.parseInt(digits, 16));
  }
}

function isSpace(character: string | undefined): boolean {
  return character !== undefined && character !== "\n" && (/\s/.test(character) || character === "\ufeff");
}
