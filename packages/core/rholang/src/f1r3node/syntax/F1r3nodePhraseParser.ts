import type {
  BindKind,
  F1r3nodeBind,
  F1r3nodeLetDeclaration,
  F1r3nodeName,
  F1r3nodeNamePatterns,
  F1r3nodeProcess,
  F1r3nodeReceipt,
  F1r3nodeRemainder,
} from "./ast.js";
import { F1r3nodeScanner } from "./F1r3nodeScanner.js";
import {
  anotherProcess,
  arrow,
  bindArrow,
  type Follow,
  nothingSpecial,
  pathMapEnd,
  repeatedSend,
  send,
} from "./follow.js";
import { packSpan } from "./PackedSpan.js";

const noNames: F1r3nodeNamePatterns = { names: [], remainder: undefined };

/** How {@link F1r3nodePhraseParser.process} reads a process. */
export interface ProcessPlace {
  /** The loosest level of an infix token that it takes. */
  readonly level: number;
  readonly follow: Follow;
  /** It is quoted by the `@` of a name: an arrow of a bind ends it. */
  readonly isQuoted?: boolean;
}

const anything: ProcessPlace = { level: 0, follow: nothingSpecial };
/** `*@P` is followed by whatever follows a process, so that only what binds tighter belongs to P. */
const evaluatedQuoteLevel = 13;

/**
 * The phrases of which processes of f1r3node are made: names, lists, remainders, receipts, declarations,
 * collections. Each method begins at its first token and ends behind its last.
 *
 * @spec 61 §4
 */
export abstract class F1r3nodePhraseParser extends F1r3nodeScanner {
  protected abstract process(place: ProcessPlace): F1r3nodeProcess;

  protected anyProcess(): F1r3nodeProcess {
    return this.process(anything);
  }

  /** `{ P }`: here an empty pair of braces is no map. */
  protected block(): F1r3nodeProcess {
    this.expect("{");
    const body = this.anyProcess();
    this.expect("}");
    return body;
  }

  /** A name; the process behind its `@` extends over all that cannot follow the name. */
  protected name(follow: Follow): F1r3nodeName {
    if (this.take("@")) return { kind: "Quote", process: this.process({ level: 0, follow, isQuoted: true }) };
    return this.nameVariable();
  }

  /** The name that `*` evaluates. */
  protected evaluatedName(follow: Follow): F1r3nodeName {
    if (this.take("@")) return { kind: "Quote", process: this.process({ level: evaluatedQuoteLevel, follow }) };
    return this.nameVariable();
  }

  private nameVariable(): F1r3nodeName {
    const start = this.at;
    if (this.takeWord("_")) return { kind: "NameWildcard" };
    const name = this.identifier();
    return { kind: "NameVariable", name, span: packSpan(start, start) };
  }

  protected startsName(): boolean {
    if (this.next("@")) return true;
    const name = this.wordHere();
    return name !== "" && !this.isReserved(name);
  }

  /** Names with commas between them, one at the end allowed, and what is left over. */
  protected names(follow: Follow): F1r3nodeNamePatterns {
    const names: F1r3nodeName[] = [];
    while (this.startsName()) {
      names.push(this.name(follow));
      if (!this.take(",")) break;
    }
    if (!this.take("...")) return names.length === 0 ? noNames : { names, remainder: undefined };
    this.expect("@");
    return { names, remainder: this.remainderVariable() };
  }

  /** `( names )` of a contract or of an agent's method. */
  protected formals(): F1r3nodeNamePatterns {
    this.expect("(");
    const names = this.names(nothingSpecial);
    this.expect(")");
    return names;
  }

  private remainderVariable(): F1r3nodeRemainder {
    const start = this.at;
    if (this.takeWord("_")) return { name: undefined, span: packSpan(start, start) };
    const name = this.identifier();
    return { name, span: packSpan(start, start) };
  }

  /** `( P, … )`: may be empty, may end with a comma. */
  protected argumentList(): F1r3nodeProcess[] {
    this.expect("(");
    const list: F1r3nodeProcess[] = [];
    while (!this.take(")")) {
      list.push(this.anyProcess());
      if (!this.take(",") && !this.next(")")) this.unexpected();
    }
    return list;
  }

  protected receipt(): F1r3nodeReceipt {
    const binds = [this.bind()];
    while (this.take("&")) binds.push(this.bind());
    return { binds, guard: this.takeWord("where") ? this.anyProcess() : undefined };
  }

  private bind(): F1r3nodeBind {
    const patterns = this.names(arrow | bindArrow);
    const kind = this.bindKind();
    const source = this.name(kind === "linear" ? send : nothingSpecial);
    if (kind !== "linear") return { kind, patterns, source, sourceKind: "simple", data: [] };
    if (this.take("?!")) return { kind, patterns, source, sourceKind: "receiveSend", data: [] };
    if (this.take("!?")) return { kind, patterns, source, sourceKind: "sendReceive", data: this.argumentList() };
    if (!this.take("!")) return { kind, patterns, source, sourceKind: "simple", data: [] };
    return { kind, patterns, source, sourceKind: "sendReceive", data: this.methodCall() };
  }

  private bindKind(): BindKind {
    if (this.take("<-")) return "linear";
    if (this.take("<=")) return "repeated";
    if (this.take("<<-")) return "peek";
    return this.unexpected();
  }

  /** `m(P, …)` behind the `!` of a method's call: its name is the first of the data. */
  protected methodCall(): F1r3nodeProcess[] {
    const start = this.at;
    const value = this.identifier();
    const method: F1r3nodeProcess = { kind: "String", value, span: this.spanFrom(start) };
    return [method, ...this.argumentList()];
  }

  protected letDeclarations(): { readonly declarations: F1r3nodeLetDeclaration[]; readonly concurrent: boolean } {
    const declarations = [this.letDeclaration()];
    const separator = this.next("&") ? "&" : ";";
    while (this.take(separator)) declarations.push(this.letDeclaration());
    return { declarations, concurrent: separator === "&" };
  }

  private letDeclaration(): F1r3nodeLetDeclaration {
    const start = this.at;
    const patterns = this.names(arrow);
    const [only] = patterns.names;
    const others: F1r3nodeProcess[] = [];
    if (only?.kind === "NameVariable" && patterns.names.length === 1 && this.take("=")) {
      const span = packSpan(start, start + only.name.length);
      const quoted: F1r3nodeName = { kind: "Quote", process: { kind: "Variable", name: only.name, span } };
      return { patterns: { names: [quoted], remainder: undefined }, value: this.anyProcess(), others };
    }
    this.expect("<-");
    const value = this.anyProcess();
    // Quirk 61 §4: there is one value, whatever follows it.
    while (this.take(",") && !this.next(";") && !this.next("&") && this.wordHere() !== "in")
      others.push(this.anyProcess());
    const arity = patterns.names.length + (patterns.remainder === undefined ? 0 : 1);
    if (arity !== 1) this.refuse(`a declaration of ${arity} names has one value`, start);
    return { patterns, value, others };
  }

  /** Elements up to the closing sign, with commas between them, one at the end allowed, and what is left over. */
  protected elementsUpTo(
    close: string,
    follow: Follow = nothingSpecial,
  ): { readonly elements: F1r3nodeProcess[]; readonly remainder: F1r3nodeRemainder | undefined } {
    const elements: F1r3nodeProcess[] = [];
    while (!this.next(close) && !this.next("...")) {
      elements.push(this.process({ level: 0, follow }));
      if (!this.take(",")) break;
    }
    const remainder = this.take("...") ? this.remainderVariable() : undefined;
    this.expect(close);
    return { elements, remainder };
  }

  /** `[ … ]`, `Set( … )`, `{| … |}`, from the first token on. */
  protected collection(kind: "List" | "Set" | "PathMap"): F1r3nodeProcess {
    const start = this.at;
    switch (kind) {
      case "List":
        this.expect("[");
        return { kind, ...this.elementsUpTo("]"), span: this.spanFrom(start) };
      case "Set":
        this.expectWord("Set");
        this.expect("(");
        return { kind, ...this.elementsUpTo(")"), span: this.spanFrom(start) };
      case "PathMap":
        this.expect("{|");
        return { kind, ...this.elementsUpTo("|}", pathMapEnd), span: this.spanFrom(start) };
    }
  }

  /** `{` begins a map or a process in braces; which one shows behind the first process in it. */
  protected braces(): F1r3nodeProcess {
    const start = this.at;
    this.expect("{");
    const entries: { key: F1r3nodeProcess; value: F1r3nodeProcess }[] = [];
    while (!this.next("}") && !this.next("...")) {
      const key = this.anyProcess();
      if (entries.length === 0 && this.take("}")) return key;
      this.expect(":");
      entries.push({ key, value: this.anyProcess() });
      if (!this.take(",")) break;
    }
    // Quirk 61 §4: of a map without entries nothing is left over.
    const leftOver = this.take("...") ? this.remainderVariable() : undefined;
    this.expect("}");
    const remainder = entries.length === 0 ? undefined : leftOver;
    return { kind: "Map", entries, remainder, span: this.spanFrom(start) };
  }

  /** The channel of a send, from its `@` on. */
  protected quotedChannel(follow: Follow): F1r3nodeName {
    return this.name((follow & ~anotherProcess) | send | repeatedSend);
  }
}
