import type { Comment, Span } from "@vedette/rholang";
import type { ProgramSource, ProgramToken } from "../ProgramSource.js";
import { all, type Doc, emptyLine, freshLine, gap, lineEnd, sequence, text } from "./Doc.js";

/** Signs after which a comment before them is moved, so that the sign does not begin a line. */
const separators: ReadonlySet<string> = new Set(["|", ",", ";", "&"]);
const closing: ReadonlySet<string> = new Set(["}", ")", "]", ",)", "|}", "end"]);
const nothing: Doc = all();

/** Hands out the tokens of a program one after another, each with the comments around it; none can be left out. */
export class TokenCursor {
  #index = 0;
  #nextComment = 0;

  constructor(private readonly parsed: ProgramSource) {}

  /** The token that comes next. */
  get next(): ProgramToken {
    return this.parsed.tokens[this.#index]!;
  }

  get kind(): string {
    return this.next.kind;
  }

  /** The next token, which must be of this kind where one is named, with the comments before it and beside it. */
  take(kind?: string): Doc {
    const token = this.next;
    if (kind !== undefined && token.kind !== kind) throw new Error(`The formatter expects ${kind}, not ${token.kind}`);
    const before = this.#pendingComments();
    this.#index += 1;
    const beside = this.#commentsBeside(token);
    const shown = text(this.#textOf(token));
    if (separators.has(token.kind)) return all(shown, this.#show([...before, ...beside]));
    return all(this.#show(before), this.#emptyLineBehind(before, token), shown, this.#show(beside));
  }

  /** Takes all tokens of a span as in the text, comments included. */
  takeRaw(span: Span): Doc {
    const before = this.comments();
    while (this.next.end <= span.end && this.kind !== "end") this.#index += 1;
    const { comments } = this.parsed;
    while (this.#nextComment < comments.length && comments[this.#nextComment]!.before < this.#index)
      this.#nextComment += 1;
    return all(before, text(this.parsed.source.slice(span.start, span.end)), this.#show(this.#commentsBeside(span)));
  }

  /** The comments before the next token. */
  comments(): Doc {
    const comments = this.#pendingComments();
    return all(this.#show(comments), this.#emptyLineBehind(comments, this.next));
  }

  /** Whether the text has a line break before what comes next, comments included. */
  breaksHere(): boolean {
    const at = this.#pending()?.start ?? this.next.start;
    return this.#between(at).includes("\n");
  }

  /** Whether the text has an empty line before what comes next. */
  isBlankHere(): boolean {
    return this.#hasBlankBefore(this.#pending()?.start ?? this.next.start);
  }

  /** Whether nothing was written about the text before the next token. */
  hasComment(): boolean {
    return this.#pending() !== undefined;
  }

  #pendingComments(): Comment[] {
    const comments: Comment[] = [];
    for (let comment = this.#pending(); comment !== undefined; comment = this.#pending()) {
      this.#nextComment += 1;
      comments.push(comment);
    }
    return comments;
  }

  /** Returns comments after a token on its line; before a separator only those that let it stay on the line. */
  #commentsBeside(token: Span): Comment[] {
    const comments: Comment[] = [];
    let end = token.end;
    for (let comment = this.#pending(); comment !== undefined; comment = this.#pending()) {
      if (this.parsed.source.slice(end, comment.start).includes("\n")) break;
      if (separators.has(this.kind) && this.#endsLine(comment)) break;
      this.#nextComment += 1;
      comments.push(comment);
      end = comment.end;
    }
    return comments;
  }

  /** On their original line; from the first that has a line of its own on, each has one. */
  #show(comments: readonly Comment[]): Doc {
    if (comments.length === 0) return nothing;
    const docs: Doc[] = [];
    let isOnOwnLine = false;
    for (const comment of comments) {
      isOnOwnLine ||= this.#isOwnLine(comment);
      const shown = text(this.#commentText(comment));
      if (!isOnOwnLine) docs.push(gap, shown, this.#isLineComment(comment) ? lineEnd : gap);
      else {
        if (this.#hasBlankBefore(comment.start)) docs.push(emptyLine);
        docs.push(freshLine, shown, lineEnd, freshLine);
      }
      isOnOwnLine ||= this.#isLineComment(comment);
    }
    return sequence(docs);
  }

  /** The empty line between comments and the token that they describe, where the text has one. */
  #emptyLineBehind(comments: readonly Comment[], token: ProgramToken): Doc {
    const last = comments.at(-1);
    if (last === undefined || closing.has(token.kind) || !this.#hasBlankBefore(token.start)) return nothing;
    return emptyLine;
  }

  #pending(): Comment | undefined {
    const comment = this.parsed.comments[this.#nextComment];
    return comment !== undefined && comment.before <= this.#index ? comment : undefined;
  }

  #isOwnLine(comment: Comment): boolean {
    return this.#between(comment.start).includes("\n") || this.#between(comment.start).length === comment.start;
  }

  #endsLine(comment: Comment): boolean {
    return this.#isLineComment(comment) || this.#commentText(comment).includes("\n");
  }

  #isLineComment({ start }: Comment): boolean {
    return this.parsed.source[start + 1] === "/";
  }

  #commentText({ start, end }: Comment): string {
    return this.parsed.source.slice(start, end).trimEnd();
  }

  #hasBlankBefore(offset: number): boolean {
    return (this.#between(offset).match(/\n/g)?.length ?? 0) > 1;
  }

  /** The white space before an offset. */
  #between(offset: number): string {
    const { source } = this.parsed;
    let start = offset;
    while (start > 0 && /[ \t\v\f\r\n]/.test(source[start - 1]!)) start -= 1;
    return source.slice(start, offset);
  }

  #textOf({ start, end }: Span): string {
    return this.parsed.source.slice(start, end);
  }
}
