import type { BinaryOperator, UnaryOperator } from "@vedette/terms";
import { type Name, type NameDeclaration, nilProcess, type Process, type Receipt } from "./ast.js";
import type { LineTable } from "./LineTable.js";
import { decodeString, decodeUri } from "./literal.js";
import { PhraseParser } from "./PhraseParser.js";
import type { TokenKind } from "./token.js";

/**
 * Parses a whole program.
 *
 * @spec 20 §3
 * @throws {InterpreterError} `SyntaxError`, `LexerError`, `UnrecognizedInterpreterError`, `ProgramTooLarge`
 * @cost linear in the text; native stack for each level of nesting, not for `|` nor for chains of operators
 */
export function parseProgram(source: string, maxTokens?: number): ParsedProgram {
  const parser = new Parser(source, maxTokens);
  return { process: parser.program(), lines: parser.lines };
}

/** A parsed program, and what turns its positions into lines and columns. */
export interface ParsedProgram {
  readonly process: Process;
  readonly lines: LineTable;
}

/** Below this level are processes other than expressions: they take no operators and do not fit in parentheses. */
const expressionLevel = 4;

interface InfixOperator {
  readonly operator: BinaryOperator | "matches" | "method" | "Conjunction" | "Disjunction";
  readonly level: number;
  readonly leftLevel: number;
  readonly rightLevel: number;
}

/**
 * Processes by precedence level (20 §3.1): `process(n)` accepts what has level n or more, leaves the level of what
 * it found in `level`, and leaves every token that it cannot use to its caller, which expects or refuses it.
 */
export class Parser extends PhraseParser {
  program(): Process {
    const process = this.process(0);
    if (this.kind !== "end") this.unexpected();
    return process;
  }

  protected process(minLevel: number): Process {
    if (minLevel === 0) return this.parallel();
    const start = this.start;
    const first = this.prefix(minLevel);
    return this.level < expressionLevel ? first : this.infixes(first, start, minLevel);
  }

  private parallel(): Process {
    const first = this.process(1);
    if (this.kind !== "|") return first;
    const processes = [first];
    while (this.kind === "|") {
      this.advance();
      processes.push(this.process(1));
    }
    this.level = 0;
    return { kind: "Parallel", processes };
  }

  private infixes(first: Process, position: number, minLevel: number): Process {
    let left = first;
    let leftLevel = this.level;
    for (;;) {
      const infix = infixTable.get(this.kind);
      if (infix === undefined || infix.level < minLevel || leftLevel < infix.leftLevel) break;
      this.advance();
      left = this.infix(infix, left, position);
      leftLevel = infix.level;
    }
    this.level = leftLevel;
    return left;
  }

  protected infix(infix: InfixOperator, left: Process, position: number): Process {
    const { operator, rightLevel } = infix;
    switch (operator) {
      case "method": {
        const method = this.identifier();
        return { kind: "Method", target: left, method, args: this.argumentList() };
      }
      case "matches":
        return { kind: "Matches", target: left, pattern: this.process(rightLevel) };
      case "Conjunction":
      case "Disjunction":
        return { kind: operator, left, right: this.process(rightLevel), position };
      default:
        return { kind: "Binary", operator, left, right: this.process(rightLevel) };
    }
  }

  /** Everything but infix operators; sets `level`. */
  protected prefix(minLevel: number): Process {
    switch (this.kind) {
      case "identifier":
        return this.variable(minLevel);
      case "@":
        if (minLevel > 3) this.unexpected();
        return this.sendOn(this.name(), minLevel);
      case "*":
        if (minLevel > 12) this.unexpected();
        this.advance();
        return this.leveled({ kind: "Eval", name: this.name() }, 12);
      case "{":
        return this.leveled(this.braces(), 16);
      case "(":
        return this.parentheses(minLevel);
      case "[":
        return this.leveled(this.listCollection(), 16);
      case "Set":
        return this.leveled(this.setCollection(), 16);
      case "_":
        return this.wildcard(minLevel);
      case "~":
        if (minLevel > 15) this.unexpected();
        return this.negation();
      case "-":
      case "not":
        if (minLevel > 10) this.unexpected();
        return this.unary(this.kind === "-" ? "ENeg" : "ENot");
      case "=":
        if (minLevel > 13) this.unexpected();
        return this.variableReference();
      default:
        return this.ground() ?? this.statement(minLevel);
    }
  }

  private leveled(process: Process, level: number): Process {
    this.level = level;
    return process;
  }

  private variable(minLevel: number): Process {
    const position = this.start;
    const name = this.identifier();
    if (minLevel <= 3 && this.startsSend()) return this.sendOn({ kind: "NameVariable", name, position }, minLevel);
    return this.leveled({ kind: "Variable", name, position }, 16);
  }

  private wildcard(minLevel: number): Process {
    const position = this.start;
    this.advance();
    if (minLevel <= 3 && this.startsSend()) return this.sendOn({ kind: "NameWildcard" }, minLevel);
    return this.leveled({ kind: "Wildcard", position }, 16);
  }

  private startsSend(): boolean {
    return this.kind === "!" || this.kind === "!!" || this.kind === "!?";
  }

  /** Behind the channel: `!( … )`, `!!( … )`, `!?( … ).`, `!?( … ); continuation`. */
  private sendOn(channel: Name, minLevel: number): Process {
    if (!this.startsSend()) this.unexpected();
    const sign = this.kind;
    if (sign === "!?" && minLevel > 1) this.unexpected();
    this.advance();
    const data = this.argumentList();
    if (sign !== "!?") return this.leveled({ kind: "Send", channel, data, persistent: sign === "!!" }, 3);
    if (this.kind === ";") {
      this.advance();
      return this.leveled({ kind: "SyncSend", channel, data, continuation: this.process(1) }, 1);
    }
    this.expect(".");
    return this.leveled({ kind: "SyncSend", channel, data, continuation: nilProcess }, 1);
  }

  /** `(P,)`, `(P, …)`, or an expression in parentheses, which is looser than a tuple and may not hold a `|`. */
  protected parentheses(minLevel: number): Process {
    this.advance();
    const inner = this.process(0);
    if (this.kind === "," || this.kind === ",)") return this.leveled(this.tupleCollection(inner), 16);
    if (minLevel > 11 || this.level < expressionLevel) this.unexpected();
    this.expect(")");
    return this.leveled(inner, 11);
  }

  /** Quirk 20 §2.3: the position is that of the operand. */
  private negation(): Process {
    this.advance();
    const position = this.start;
    return this.leveled({ kind: "Negation", operand: this.process(15), position }, 15);
  }

  private unary(operator: UnaryOperator): Process {
    this.advance();
    return this.leveled({ kind: "Unary", operator, operand: this.process(10) }, 10);
  }

  private variableReference(): Process {
    const position = this.start;
    this.advance();
    const isName = this.kind === "*";
    if (isName) this.advance();
    return this.leveled({ kind: "VariableReference", name: this.identifier(), isName, position }, 13);
  }

  private ground(): Process | undefined {
    const ground = this.groundHere();
    if (ground === undefined) return undefined;
    this.advance();
    return this.leveled(ground, 16);
  }

  protected groundHere(): Process | undefined {
    switch (this.kind) {
      case "Nil":
        return nilProcess;
      case "integer":
        return { kind: "Int", digits: this.text() };
      case "string":
        return { kind: "String", value: decodeString(this.text()) };
      case "uri":
        return { kind: "Uri", value: decodeUri(this.text()) };
      case "true":
      case "false":
        return { kind: "Bool", value: this.kind === "true" };
      case "Bool":
      case "Int":
      case "String":
      case "Uri":
      case "ByteArray":
        return { kind: "SimpleType", typeName: this.kind };
      default:
        return undefined;
    }
  }

  private statement(minLevel: number): Process {
    const kind = this.kind;
    if (minLevel > (kind === "if" || kind === "new" ? 1 : 2)) this.unexpected();
    switch (kind) {
      case "if":
        return this.leveled(this.conditional(), 1);
      case "new":
        return this.leveled(this.newNames(), 1);
      case "contract":
        return this.leveled(this.contract(), 2);
      case "for":
        return this.leveled(this.receive(), 2);
      case "select":
        return this.leveled(this.select(), 2);
      case "match":
        return this.leveled(this.match(), 2);
      case "let":
        return this.leveled(this.letIn(), 2);
      case "bundle":
      case "bundle+":
      case "bundle-":
      case "bundle0":
        return this.leveled(this.bundle(), 2);
      default:
        return this.unexpected();
    }
  }

  private conditional(): Process {
    this.advance();
    this.expect("(");
    const condition = this.process(0);
    this.expect(")");
    const then = this.process(2);
    if (this.kind !== "else") return { kind: "If", condition, then, otherwise: nilProcess };
    this.advance();
    return { kind: "If", condition, then, otherwise: this.process(1) };
  }

  private newNames(): Process {
    const declarations: NameDeclaration[] = [];
    do {
      this.advance();
      const position = this.start;
      const name = this.identifier();
      declarations.push({ name, uri: this.kind === "(" ? this.declaredUri() : undefined, position });
    } while (this.kind === ",");
    this.expect("in");
    return { kind: "New", declarations, body: this.process(1) };
  }

  private declaredUri(): string {
    this.advance();
    if (this.kind !== "uri") this.unexpected();
    const uri = decodeUri(this.text());
    this.advance();
    this.expect(")");
    return uri;
  }

  private contract(): Process {
    this.advance();
    const name = this.name();
    this.expect("(");
    const formals = this.namePatterns();
    this.expect(")");
    this.expect("=");
    return { kind: "Contract", name, formals, body: this.block() };
  }

  private receive(): Process {
    this.advance();
    const behindParenthesis = this.end;
    this.expect("(");
    // Quirk 20 §2.3: an empty list of names is at the end of the token before it.
    const position = this.startsName() ? this.start : behindParenthesis;
    const receipts: Receipt[] = [this.receipt(false)];
    while (this.kind === ";") {
      this.advance();
      receipts.push(this.receipt(false));
    }
    this.expect(")");
    return { kind: "Receive", receipts, body: this.block(), position };
  }

  /** Parsed to the end, since a syntax error in it comes before its refusal by the normalizer. */
  private select(): Process {
    this.advance();
    this.expect("{");
    do {
      this.receipt(true);
      this.expect("=>");
      this.process(3);
    } while (this.kind !== "}");
    this.advance();
    return { kind: "Select" };
  }

  private match(): Process {
    this.advance();
    const target = this.process(4);
    this.expect("{");
    const cases: { pattern: Process; body: Process }[] = [];
    do {
      const pattern = this.process(13);
      this.expect("=>");
      cases.push({ pattern, body: this.process(3) });
    } while (this.kind !== "}");
    this.advance();
    return { kind: "Match", target, cases };
  }

  private letIn(): Process {
    this.advance();
    const declarations = [this.letDeclaration()];
    const separator = this.kind;
    if (separator === ";" || separator === "&") {
      while (this.kind === separator) {
        this.advance();
        declarations.push(this.letDeclaration());
      }
    }
    this.expect("in");
    return { kind: "Let", declarations, concurrent: separator === "&", body: this.block() };
  }

  private bundle(): Process {
    const position = this.start;
    const kind = this.kind;
    this.advance();
    const writeFlag = kind === "bundle" || kind === "bundle+";
    const readFlag = kind === "bundle" || kind === "bundle-";
    return { kind: "Bundle", body: this.block(), writeFlag, readFlag, position };
  }
}

const infixTable: ReadonlyMap<TokenKind, InfixOperator> = new Map([
  [".", { operator: "method", level: 11, leftLevel: 11, rightLevel: 0 }],
  ["\\/", { operator: "Disjunction", level: 13, leftLevel: 13, rightLevel: 14 }],
  ["/\\", { operator: "Conjunction", level: 14, leftLevel: 14, rightLevel: 15 }],
  ["matches", { operator: "matches", level: 6, leftLevel: 7, rightLevel: 7 }],
  ...leftAssociative(4, { or: "EOr" }),
  ...leftAssociative(5, { and: "EAnd" }),
  ...leftAssociative(6, { "==": "EEq", "!=": "ENeq" }),
  ...leftAssociative(7, { "<": "ELt", "<=": "ELte", ">": "EGt", ">=": "EGte" }),
  ...leftAssociative(8, { "+": "EPlus", "-": "EMinus", "++": "EPlusPlus", "--": "EMinusMinus" }),
  ...leftAssociative(9, { "*": "EMult", "/": "EDiv", "%": "EMod", "%%": "EPercentPercent" }),
] as [TokenKind, InfixOperator][]);

function leftAssociative(level: number, operators: Record<string, BinaryOperator>): [string, InfixOperator][] {
  return Object.entries(operators).map(([token, operator]) => [
    token,
    { operator, level, leftLevel: level, rightLevel: level + 1 },
  ]);
}
