import type { Bind, LetDeclaration, Name, NamePatterns, Process, Receipt, ReceiptKind, Remainder } from "./ast.js";
import { Lexer } from "./Lexer.js";
import { noPosition } from "./LineTable.js";
import { processStarts, type TokenKind } from "./token.js";

/** `@` takes an operand of this level. */
const quoteLevel = 12;

/**
 * The phrases of which processes are made: names, lists, remainders, receipts, declarations, collections.
 *
 * Each method begins at its first token and ends behind its last. Every token is checked before it is passed, so
 * that the token reported is the first with which the text can no longer be completed, as in an LR parser.
 *
 * @spec 20 §3.2, §3.3, §3.4
 */
export abstract class PhraseParser extends Lexer {
  /** The precedence level of the process that was parsed last. */
  protected level = 0;

  /** Parses a process of `minLevel` or a tighter level. */
  protected abstract process(minLevel: number): Process;

  protected expect(kind: TokenKind): void {
    if (this.kind !== kind) this.unexpected();
    this.advance();
  }

  protected at(kind: TokenKind): boolean {
    return this.kind === kind;
  }

  /** An identifier's text; the caller takes its position before. */
  protected identifier(): string {
    if (this.kind !== "identifier") this.unexpected();
    const name = this.text();
    this.advance();
    return name;
  }

  protected name(): Name {
    const position = this.start;
    switch (this.kind) {
      case "identifier":
        return { kind: "NameVariable", name: this.identifier(), position };
      case "@":
        this.advance();
        return { kind: "Quote", process: this.process(quoteLevel) };
      case "_":
        this.advance();
        return { kind: "NameWildcard" };
      default:
        return this.unexpected();
    }
  }

  /** `{ Proc }`: here an empty pair of braces is no map. */
  protected block(): Process {
    this.expect("{");
    const body = this.process(0);
    this.expect("}");
    return body;
  }

  /** `( [Proc] )` */
  protected argumentList(): Process[] {
    this.expect("(");
    const list = this.processList();
    this.expect(")");
    return list;
  }

  /** `[Proc]`: may be empty, may end with a comma. */
  protected processList(): Process[] {
    const list: Process[] = [];
    this.moreProcesses(list);
    return list;
  }

  private moreProcesses(list: Process[]): void {
    while (processStarts.has(this.kind)) {
      list.push(this.process(0));
      if (this.kind !== ",") return;
      this.advance();
    }
  }

  protected startsName(): boolean {
    return this.kind === "identifier" || this.kind === "@" || this.kind === "_";
  }

  /** `[Name] NameRemainder` */
  protected namePatterns(): NamePatterns {
    const names: Name[] = [];
    while (this.startsName()) {
      names.push(this.name());
      if (this.kind !== ",") break;
      this.advance();
    }
    if (this.kind !== "...") return { names, remainder: undefined };
    this.advance();
    this.expect("@");
    return { names, remainder: this.remainderVariable() };
  }

  /** `...x` if it is there */
  private processRemainder(): Remainder | undefined {
    if (this.kind !== "...") return undefined;
    this.advance();
    return this.remainderVariable();
  }

  private remainderVariable(): Remainder {
    const position = this.start;
    if (this.kind !== "_") return { name: this.identifier(), position };
    this.advance();
    return { name: undefined, position: noPosition };
  }

  /** @param linearOnly in `select`, which knows no other kind */
  protected receipt(linearOnly: boolean): Receipt {
    const patterns = this.namePatterns();
    const kind = this.receiptKind();
    if (linearOnly && kind !== "linear") this.unexpected();
    const binds = [this.bindFrom(patterns, kind)];
    while (this.kind === "&") {
      this.advance();
      const next = this.namePatterns();
      if (this.receiptKind() !== kind) this.unexpected();
      binds.push(this.bindFrom(next, kind));
    }
    return { kind, binds };
  }

  private receiptKind(): ReceiptKind {
    switch (this.kind) {
      case "<-":
        return "linear";
      case "<=":
        return "repeated";
      case "<<-":
        return "peek";
      default:
        return this.unexpected();
    }
  }

  private bindFrom(patterns: NamePatterns, kind: ReceiptKind): Bind {
    this.advance();
    const source = this.name();
    if (kind === "linear" && this.kind === "?!") {
      this.advance();
      return { patterns, source, sourceKind: "receiveSend", data: [] };
    }
    if (kind === "linear" && this.kind === "!?") {
      this.advance();
      return { patterns, source, sourceKind: "sendReceive", data: this.argumentList() };
    }
    return { patterns, source, sourceKind: "simple", data: [] };
  }

  protected letDeclaration(): LetDeclaration {
    const patterns = this.namePatterns();
    this.expect("<-");
    return { patterns, values: this.processList() };
  }

  /** `[ … ]` */
  protected listCollection(): Process {
    this.advance();
    const elements = this.processList();
    const remainder = this.processRemainder();
    this.expect("]");
    return { kind: "List", elements, remainder };
  }

  /** `Set( … )` */
  protected setCollection(): Process {
    this.advance();
    this.expect("(");
    const elements = this.processList();
    const remainder = this.processRemainder();
    this.expect(")");
    return { kind: "Set", elements, remainder };
  }

  /** Behind `(first` in a tuple, at `,)` or at `,`. */
  protected tupleCollection(first: Process): Process {
    const elements = [first];
    if (this.kind === ",)") {
      this.advance();
      return { kind: "Tuple", elements, remainder: undefined };
    }
    this.expect(",");
    this.moreProcesses(elements);
    this.expect(")");
    return { kind: "Tuple", elements, remainder: undefined };
  }

  /** `{` begins a map or a process in braces; which one shows behind the first process in it. */
  protected braces(): Process {
    this.advance();
    if (this.kind === "}" || this.kind === "...") return this.restOfMap([]);
    const first = this.process(0);
    if (this.at("}")) {
      this.advance();
      return first;
    }
    const entries = [this.entryFrom(first)];
    if (this.kind === ",") {
      this.advance();
      while (processStarts.has(this.kind)) {
        entries.push(this.entryFrom(this.process(0)));
        if (this.kind !== ",") break;
        this.advance();
      }
    }
    return this.restOfMap(entries);
  }

  private entryFrom(key: Process): { key: Process; value: Process } {
    this.expect(":");
    return { key, value: this.process(0) };
  }

  private restOfMap(entries: { key: Process; value: Process }[]): Process {
    const remainder = this.processRemainder();
    this.expect("}");
    return { kind: "Map", entries, remainder };
  }
}
