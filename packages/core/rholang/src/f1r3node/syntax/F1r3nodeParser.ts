import type { ConnectiveTypeName, UnaryOperator } from "@vedette/terms";
import { spannedError } from "../../InterpreterError.js";
import { AgentParts } from "./AgentParts.js";
import { expandAgent } from "./agent.js";
import { appendFloatWidths } from "./appendFloatWidths.js";
import type {
  F1r3nodeName,
  F1r3nodeNameDeclaration,
  F1r3nodeProcess,
  F1r3nodeReceipt,
  MatchCaseProcess,
} from "./ast.js";
import { F1r3nodePhraseParser, type ProcessPlace } from "./F1r3nodePhraseParser.js";
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
import { type Infix, infixSigns, infixWords } from "./infix.js";
import { packSpan } from "./PackedSpan.js";
import type { SpanTable } from "./SpanTable.js";

/** A parsed program, and what turns its places into lines and columns. */
export interface F1r3nodeProgram {
  readonly process: F1r3nodeProcess;
  readonly spans: SpanTable;
}

/**
 * Parses a whole program of f1r3node.
 *
 * @spec 61 §4
 * @throws {InterpreterError} `ParserError`, `ProgramTooLarge`
 * @cost linear in the text; native stack for each level of nesting, not for `|` nor for chains of operators
 */
export function parseF1r3nodeProgram(source: string, maxTokens?: number): F1r3nodeProgram {
  const parser = new F1r3nodeParser(appendFloatWidths(source), maxTokens);
  return { process: parser.program(), spans: parser.spans };
}

const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const simpleTypes: ReadonlySet<string> = new Set(["Bool", "Int", "String", "Uri", "ByteArray"]);

/**
 * Processes by how tight they bind (20 §3.1). A statement may replace any operand; its last part takes all that binds
 * tighter than it.
 */
export class F1r3nodeParser extends F1r3nodePhraseParser {
  /** Whether the last process was an expression, for the few places where nothing else is allowed. */
  private isExpression = false;

  program(): F1r3nodeProcess {
    if (this.isAtEnd) throw spannedError("ParserError", "Parser error: Expected single process, got 0");
    const process = this.process({ level: 0, follow: anotherProcess });
    if (!this.isAtEnd) this.unexpected();
    return process;
  }

  protected process({ level, follow, isQuoted }: ProcessPlace): F1r3nodeProcess {
    const start = this.at;
    let left = this.prefix(follow);
    for (;;) {
      if (level === 0 && this.atParallel(follow)) {
        left = this.parallel(left, start, follow);
        continue;
      }
      const infix = this.infixHere(follow);
      if (infix === undefined || infix.level < level) return left;
      // The arrow of a bind ends a quote, but not what within it binds looser.
      if (isQuoted && infix.kind === "ELte" && (follow & bindArrow) !== 0) return left;
      this.advance(infix.text.length);
      left = this.infix(infix, left, start, follow);
      this.isExpression = true;
    }
  }

  private atParallel(follow: Follow): boolean {
    return this.unit === 0x7c && ((follow & pathMapEnd) === 0 || !this.next("|}"));
  }

  private parallel(first: F1r3nodeProcess, start: number, follow: Follow): F1r3nodeProcess {
    const processes = [first];
    while (this.atParallel(follow)) {
      this.advance(1);
      processes.push(this.process({ level: 1, follow }));
    }
    return this.statement({ kind: "Parallel", processes, span: this.spanFrom(start) });
  }

  private infixHere(follow: Follow): Infix | undefined {
    const unit = this.unit;
    const signs = infixSigns[unit];
    if (signs === undefined) return unit >= 0x61 && unit <= 0x7a ? infixWords.get(this.wordHere()) : undefined;
    if (!this.isInfix(unit, follow)) return undefined;
    return signs.find(({ text }) => this.next(text));
  }

  /** Whether a sign is not the beginning of another token that could come here. */
  private isInfix(unit: number, follow: Follow): boolean {
    switch (unit) {
      case 0x2e: // .
      case 0x2d: // -
        if (this.next("...")) return false;
        return (follow & anotherProcess) === 0 || this.next("--") || this.numberHere() === undefined;
      case 0x3c: // <
        if ((follow & (arrow | bindArrow)) !== 0 && this.next("<-")) return false;
        return (follow & bindArrow) === 0 || !this.next("<<-");
      default:
        return true;
    }
  }

  private infix({ kind, rightLevel }: Infix, left: F1r3nodeProcess, start: number, follow: Follow): F1r3nodeProcess {
    if (kind === "method") {
      const method = this.identifier();
      const args = this.argumentList();
      return { kind: "Method", target: left, method, args, span: this.spanFrom(start) };
    }
    const right = this.process({ level: rightLevel, follow });
    const span = this.spanFrom(start);
    switch (kind) {
      case "matches":
        return { kind: "Matches", target: left, pattern: right, span };
      case "Conjunction":
      case "Disjunction":
        return { kind, left, right, span };
      default:
        return { kind: "Binary", operator: kind, left, right, span };
    }
  }

  /** Everything but infix operators; sets `isExpression`. */
  private prefix(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    const process = this.sign(follow) ?? this.word(follow);
    if (process !== undefined) return process;
    const literal = this.literal(start);
    this.isExpression = true;
    return literal;
  }

  /** Parses a process that begins with a sign. */
  private sign(follow: Follow): F1r3nodeProcess | undefined {
    switch (this.unit) {
      case 0x7b: // {
        return this.expression(this.next("{|") ? this.collection("PathMap") : this.braces());
      case 0x28: // (
        return this.parentheses();
      case 0x5b: // [
        return this.expression(this.collection("List"));
      case 0x40: // @
        return this.sendOn(this.at, this.quotedChannel(follow), follow);
      case 0x2a: // *
        return this.evaluation(follow);
      case 0x7e: // ~
        return this.negation(follow);
      case 0x3d: // =
        return this.variableReference();
      case 0x2d: // -
        return this.numberHere() === undefined ? this.unary("ENeg", 1, follow) : undefined;
      default:
        return undefined;
    }
  }

  private expression(process: F1r3nodeProcess): F1r3nodeProcess {
    this.isExpression = true;
    return process;
  }

  private statement(process: F1r3nodeProcess): F1r3nodeProcess {
    this.isExpression = false;
    return process;
  }

  /** `()`, a tuple, or a grouping: the latter holds an expression, and nothing else. */
  protected parentheses(): F1r3nodeProcess {
    const start = this.at;
    this.advance(1);
    if (this.take(")")) return this.expression({ kind: "Unit", span: this.spanFrom(start) });
    const first = this.anyProcess();
    if (this.isExpression && (this.take(")") || this.endsUnclosed(start))) return this.expression(first);
    const elements = [first];
    while (this.take(",") && !this.next(")")) elements.push(this.anyProcess());
    this.expect(")");
    return this.expression({ kind: "Tuple", elements, remainder: undefined, span: this.spanFrom(start) });
  }

  /**
   * Quirk 61 §4: a grouping that is the whole program may lack its closing parenthesis.
   *
   * @param start of the grouping
   */
  protected endsUnclosed(start: number): boolean {
    return this.isAtEnd && start === this.first;
  }

  private evaluation(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(1);
    const name = this.evaluatedName(follow);
    return this.expression({ kind: "Eval", name, span: this.spanFrom(start) });
  }

  private negation(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(1);
    const operand = this.process({ level: 16, follow });
    return this.expression({ kind: "Negation", operand, span: this.spanFrom(start) });
  }

  private unary(operator: UnaryOperator, length: number, follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(length);
    const operand = this.process({ level: 11, follow });
    return this.expression({ kind: "Unary", operator, operand, span: this.spanFrom(start) });
  }

  private variableReference(): F1r3nodeProcess {
    const start = this.at;
    // `=*` is one token.
    const isName = this.next("=*");
    this.advance(isName ? 2 : 1);
    const name = this.identifier();
    return this.expression({ kind: "VariableReference", name, isName, span: this.spanFrom(start) });
  }

  /** Behind a channel. */
  private sendOn(start: number, channel: F1r3nodeName, follow: Follow): F1r3nodeProcess {
    if (this.take("!?")) return this.syncSend(start, channel, this.argumentList(), follow);
    const persistent = this.take("!!");
    if (!persistent) {
      this.expect("!");
      if (!this.next("(")) return this.syncSend(start, channel, this.methodCall(), follow);
    }
    const data = this.argumentList();
    return this.statement({ kind: "Send", channel, data, persistent, span: this.spanFrom(start) });
  }

  private syncSend(
    start: number,
    channel: F1r3nodeName,
    data: readonly F1r3nodeProcess[],
    follow: Follow,
  ): F1r3nodeProcess {
    let continuation: F1r3nodeProcess | undefined;
    if (!this.take(".")) {
      this.expect(";");
      continuation = this.process({ level: 2, follow });
    }
    return this.statement({ kind: "SyncSend", channel, data, continuation, span: this.spanFrom(start) });
  }

  /** Parses a process that begins with a word. */
  private word(follow: Follow): F1r3nodeProcess | undefined {
    const text = this.wordHere();
    if (text === "") return undefined;
    const keyword = this.keyword(text, follow);
    if (keyword !== undefined) return keyword;
    if (this.isReserved(text)) this.unexpected();
    const start = this.at;
    this.advance(text.length);
    const span = this.spanFrom(start);
    if (this.startsSend(follow)) {
      const point = packSpan(start, start);
      const channel: F1r3nodeName =
        text === "_" ? { kind: "NameWildcard" } : { kind: "NameVariable", name: text, span: point };
      return this.sendOn(start, channel, follow);
    }
    return this.expression(text === "_" ? { kind: "Wildcard", span } : { kind: "Variable", name: text, span });
  }

  private startsSend(follow: Follow): boolean {
    if (this.unit !== 0x21 || this.next("!=")) return false;
    return (follow & (this.next("!!") ? repeatedSend : send)) === 0;
  }

  private keyword(text: string, follow: Follow): F1r3nodeProcess | undefined {
    const start = this.at;
    switch (text) {
      case "Nil":
        this.advance(text.length);
        return this.expression({ kind: "Nil", span: this.spanFrom(start) });
      case "true":
      case "false":
        this.advance(text.length);
        return this.expression({ kind: "Bool", value: text === "true", span: this.spanFrom(start) });
      case "Set":
        return this.expression(this.collection("Set"));
      case "not":
        return this.unary("ENot", 3, follow);
      case "new":
        return this.statement(this.newNames(follow));
      case "if":
        return this.statement(this.conditional(follow));
      case "let":
        return this.statement(this.letIn(follow));
      case "match":
        return this.statement(this.match());
      case "for":
        return this.statement(this.receive());
      case "contract":
        return this.statement(this.contract());
      case "agent":
        return this.statement(this.agent());
      case "bundle":
      case "bundle0":
        return this.statement(this.bundle(text));
      case "select":
        return this.refuse("f1r3node compiles no select");
      default:
        return simpleTypes.has(text) ? this.simpleType(text as ConnectiveTypeName) : undefined;
    }
  }

  private simpleType(typeName: ConnectiveTypeName): F1r3nodeProcess {
    const start = this.at;
    this.advance(typeName.length);
    return this.expression({ kind: "SimpleType", typeName, span: this.spanFrom(start) });
  }

  private newNames(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(3);
    const declarations: F1r3nodeNameDeclaration[] = [];
    const names = new Set<string>();
    do {
      const declaration = this.nameDeclaration();
      if (names.has(declaration.name)) this.refuse(`${declaration.name} is declared twice`, start);
      names.add(declaration.name);
      declarations.push(declaration);
    } while (this.take(",") && this.wordHere() !== "in");
    this.expectWord("in");
    const body = this.process({ level: 2, follow });
    return { kind: "New", declarations, body, span: this.spanFrom(start) };
  }

  private nameDeclaration(): F1r3nodeNameDeclaration {
    const span = packSpan(this.at, this.at);
    const name = this.identifier();
    if (!this.take("(")) return { name, uri: undefined, span };
    const uri = this.uriText();
    this.expect(")");
    return { name, uri, span };
  }

  private uriText(): string {
    const length = this.next("`") ? this.uriLength() : 0;
    if (length === 0) this.unexpected();
    const text = this.source.slice(this.at + 1, this.at + length - 1);
    this.advance(length);
    return text;
  }

  private conditional(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(2);
    this.expect("(");
    const condition = this.anyProcess();
    this.expect(")");
    const then = this.process({ level: 2, follow });
    const otherwise = this.takeWord("else") ? this.process({ level: 2, follow }) : undefined;
    return { kind: "If", condition, then, otherwise, span: this.spanFrom(start) };
  }

  private letIn(follow: Follow): F1r3nodeProcess {
    const start = this.at;
    this.advance(3);
    const { declarations, concurrent } = this.letDeclarations();
    this.expectWord("in");
    const body = this.process({ level: 3, follow });
    return { kind: "Let", declarations, concurrent, body, span: this.spanFrom(start) };
  }

  private match(): F1r3nodeProcess {
    const start = this.at;
    this.advance(5);
    const target = this.anyProcess();
    if (!this.isExpression) this.unexpected();
    this.expect("{");
    const cases: MatchCaseProcess[] = [];
    do {
      const pattern = this.anyProcess();
      const guard = this.takeWord("where") ? this.anyProcess() : undefined;
      this.expect("=>");
      cases.push({ pattern, guard, body: this.process({ level: 0, follow: anotherProcess }) });
    } while (!this.take("}"));
    return { kind: "Match", target, cases, span: this.spanFrom(start) };
  }

  private receive(): F1r3nodeProcess {
    const start = this.at;
    this.advance(3);
    this.expect("(");
    const receipts: F1r3nodeReceipt[] = [this.receipt()];
    while (this.take(";")) receipts.push(this.receipt());
    this.expect(")");
    return { kind: "Receive", receipts, body: this.block(), span: this.spanFrom(start) };
  }

  private contract(): F1r3nodeProcess {
    const start = this.at;
    this.advance(8);
    const name = this.name(nothingSpecial);
    const formals = this.formals();
    this.expect("=");
    return { kind: "Contract", name, formals, body: this.block(), span: this.spanFrom(start) };
  }

  protected agent(): F1r3nodeProcess {
    const start = this.at;
    this.advance(5);
    const name = this.name(nothingSpecial);
    this.expect("{");
    const parts = new AgentParts();
    do this.agentPart(parts);
    while (this.take("|"));
    this.expect("}");
    const missing = parts.missing();
    if (missing !== undefined) this.refuse(`an agent has no ${missing}`, start);
    return expandAgent(name, parts, this.spanFrom(start));
  }

  private agentPart(parts: AgentParts): void {
    const isPrivate = this.takeWord("private");
    const word = this.wordHere();
    if (word !== "method" && word !== "default" && (word !== "constructor" || isPrivate)) this.unexpected();
    const start = this.at;
    this.advance(word.length);
    const name = word === "method" ? this.identifier() : "";
    const formals = this.formals();
    const body = this.block();
    if (word === "method") parts.addMethod(isPrivate, { name, formals, body });
    else if (
      !parts.addSingle(word === "constructor" ? "constructor" : isPrivate ? "private default" : "default", {
        formals,
        body,
      })
    )
      this.refuse(`an agent has two of ${word}`, start);
  }

  private bundle(text: "bundle" | "bundle0"): F1r3nodeProcess {
    const start = this.at;
    const sign = text === "bundle" ? this.source.charAt(start + text.length) : "";
    const isSigned = sign === "+" || sign === "-";
    this.advance(text.length + (isSigned ? 1 : 0));
    const body = this.block();
    const writeFlag = text === "bundle" && sign !== "-";
    const readFlag = text === "bundle" && sign !== "+";
    return { kind: "Bundle", body, writeFlag, readFlag, span: this.spanFrom(start) };
  }

  private literal(start: number): F1r3nodeProcess {
    const unit = this.unit;
    if (unit === 0x22) return this.string(start);
    if (unit === 0x60) return { kind: "Uri", value: this.uriText(), span: this.spanFrom(start) };
    return this.number(start);
  }

  /** Quirk 61 §4: nothing is unescaped. */
  private string(start: number): F1r3nodeProcess {
    const length = this.stringLength();
    if (length === 0) this.unexpected();
    const value = this.source.slice(start + 1, start + length - 1);
    this.advance(length);
    return { kind: "String", value, span: this.spanFrom(start) };
  }

  private number(start: number): F1r3nodeProcess {
    const token = this.numberHere();
    if (token === undefined) this.unexpected();
    const { length, form, digits, width } = token;
    this.advance(length);
    const span = this.spanFrom(start);
    if (form !== "int") return { kind: "Number", form, digits, width: this.width(form, width, start), span };
    const value = BigInt(digits.length > 40 ? shortened(digits) : digits);
    if (value < smallest || value > largest) this.outOfRange(start);
    return { kind: "Int", value, span };
  }

  /** Bits or decimal places, of which there are fewer than 2^32; bits are a power of two from 8 on. */
  private width(form: string, text: string, start: number): number {
    if (text === "") return 0;
    const width = text.length > 40 ? Number(shortened(text)) : Number(text);
    if (width >= 2 ** 32) this.outOfRange(start);
    const countsBits = form === "signed" || form === "unsigned";
    if (countsBits && (width < 8 || !Number.isInteger(Math.log2(width)))) this.outOfRange(start);
    return width;
  }

  private outOfRange(start: number): never {
    this.refuse("a number is out of range", start);
  }
}

/** Without zeros in front; what is longer than any value that fits is not worth converting whole. */
function shortened(digits: string): string {
  const sign = digits.startsWith("-") ? "-" : "";
  const significant = digits.slice(sign.length).replace(/^0+/, "").slice(0, 40);
  return sign + (significant === "" ? "0" : significant);
}
