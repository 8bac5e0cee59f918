import { toHex } from "@vedette/crypto";
import { integerOf } from "../../model/numberOf.js";
import type {
  BinaryOperator,
  Bundle,
  Connective,
  Expr,
  EZipper,
  MatchCase,
  New,
  Par,
  Receive,
  ReceiveBind,
  Send,
} from "../../model/Par.js";
import type { Unforgeable } from "../../model/Unforgeable.js";
import type { Var } from "../../model/Var.js";
import { operatorText } from "../../print/operatorText.js";
import { increment, rotated } from "../../print/PrintScope.js";
import { printDouble, printFixedPoint } from "./f1r3nodeNumbers.js";

/** No more names of a `new` are listed. */
const maxNames = 128;
const longestOnOneLine = 60;

// Quirk 20 §14.3: one sign is missing.
const f1r3nodeOperatorText: Readonly<Record<BinaryOperator, string>> = { ...operatorText, EMinusMinus: "-" };

/** In the place of a match's target, which f1r3node cannot print. */
const unprintable = "<unprintable: Bug found: Attempt to print unknown prost::Message type: Any { .. }>";

/**
 * Writes one term as f1r3node does.
 *
 * Quirk 61 §5: the naming of variables is a state that is never reset: terms after a receive or a match are named as
 * terms within it.
 *
 * @spec 20 §14.3, 61 §5
 */
export class F1r3nodePrinter {
  private freeShift: number;
  private boundShift: number;
  private readonly newNumbers = new Set<number>();
  private freeId = "free";
  private baseId = "a";
  private isBuildingChannel = false;

  /** How many variables are free and bound around the term. */
  constructor(freeShift = 0, boundShift = 0) {
    this.freeShift = freeShift;
    this.boundShift = boundShift;
  }

  /** The first line begins at `indent`, in steps of two blanks. Conditionals are left out. */
  par(par: Par, indent: number): string {
    const items = [
      ...par.bundles.map((each) => this.bundle(each, indent)),
      ...par.sends.map((each) => this.send(each)),
      ...par.receives.map((each) => this.receive(each, indent)),
      ...par.news.map((each) => this.fresh(each, indent)),
      ...par.exprs.map((each) => this.expr(each)),
      ...par.matches.map(({ cases }) => this.match(cases, indent)),
      ...par.unforgeables.map(printUnforgeable),
      ...par.connectives.map((each) => this.connective(each)),
    ];
    return items.length === 0 ? "Nil" : items.join(` |\n${blanks(indent)}`);
  }

  private pars(pars: readonly Par[], separator: string): string {
    return pars.map((each) => this.par(each, 0)).join(separator);
  }

  private bundle({ body, readFlag, writeFlag }: Bundle, indent: number): string {
    const sign = writeFlag ? (readFlag ? "" : "+") : readFlag ? "-" : "0";
    return `${`bundle${sign}`.padEnd(8)}{\n${blanks(indent + 1)}${this.par(body, indent + 1)}\n}`;
  }

  private send({ chan, data, persistent }: Send): string {
    const values = this.pars(data, ", ");
    return `${this.par(chan, 0)}${persistent ? "!!" : "!"}(${values})`;
  }

  private receive(receive: Receive, indent: number): string {
    const arrow = receive.persistent ? "<=" : receive.peek ? "<<-" : "<-";
    let bound = 0;
    const binds = receive.binds.map((bind) => {
      const text = this.bind(bind, { arrow, bound, indent });
      bound += bind.freeCount;
      return text;
    });
    this.boundShift += bound;
    const body = this.par(receive.body, 0);
    // Quirk 61 §5: the body begins anew at the left, and the last indent comes after it.
    return `for( ${binds.join("  & ")} ) {\n${blanks(indent + 1)}${body}${blanks(indent)}\n}`;
  }

  private bind(
    { patterns, source }: ReceiveBind,
    { arrow, bound, indent }: { readonly arrow: string; readonly bound: number; readonly indent: number },
  ): string {
    this.enterPattern(bound);
    const texts = patterns.map((each) => this.channel(each, 0));
    return `${texts.join(", ")} ${arrow} ${this.channel(source, indent)}`;
  }

  private enterPattern(bound: number): void {
    this.freeShift = this.boundShift + bound;
    this.boundShift = 0;
    this.freeId = rotated(this.baseId);
    this.baseId = increment(this.baseId);
  }

  private channel(par: Par, indent: number): string {
    this.isBuildingChannel = true;
    const text = this.par(par, indent);
    const isShort = text.length <= longestOnOneLine && new TextEncoder().encode(text).length <= longestOnOneLine;
    const line = isShort ? text.replace(/\n(?:\s\s)*/g, " ") : text;
    return this.isNewName(par) ? line : `@{${line}}`;
  }

  private isNewName({ exprs }: Par): boolean {
    const [expr] = exprs;
    return exprs.length === 1 && expr?.kind === "EVar" && expr.v.kind === "BoundVar" && this.isNew(expr.v.index);
  }

  private isNew(index: number): boolean {
    return this.newNumbers.has(this.boundShift - index - 1);
  }

  private fresh({ bindCount, p }: New, indent: number): string {
    const first = this.boundShift;
    const names = Array.from(
      { length: Math.min(bindCount, maxNames) },
      (_, i) => `${rotated(this.baseId)}${first + i}`,
    );
    this.boundShift += bindCount;
    for (let i = 0; i < bindCount; i += 1) this.newNumbers.add(first + i);
    const body = this.par(p, indent + 1);
    return `new ${names.join(", ")} in {\n${blanks(indent + 1)}${body}\n${blanks(indent)}}`;
  }

  private match(cases: readonly MatchCase[], indent: number): string {
    const texts = cases.map((each) => blanks(indent + 1) + this.matchCase(each, indent + 1));
    return `match ${unprintable} {\n${blanks(indent + 1)}${texts.join("\n")}\n${blanks(indent)}}`;
  }

  private matchCase({ pattern, source, freeCount }: MatchCase, indent: number): string {
    this.enterPattern(0);
    const text = this.par(pattern, indent);
    this.boundShift += freeCount;
    return `${text} => {\n${blanks(indent + 1)}${this.par(source, indent + 1)}\n${blanks(indent)}}`;
  }

  private connective(connective: Connective): string {
    switch (connective.kind) {
      case "ConnectiveAnd":
        return `{ ${this.pars(connective.ps, " /\\ ")} }`;
      case "ConnectiveOr":
        return `{ ${this.pars(connective.ps, " \\/ ")} }`;
      case "ConnectiveNot":
        return `~{${this.par(connective.body, 0)}}`;
      case "VarRef":
        return `=${this.freeId}${this.freeShift - connective.index - 1}`;
      case "ConnectiveType":
        return connective.typeName;
      case "EmptyConnective":
        return "";
    }
  }

  private expr(expr: Expr): string {
    switch (expr.kind) {
      case "GBool":
        return String(expr.value);
      case "GInt":
        return expr.value.toString();
      case "GString":
        return `"${expr.value}"`;
      case "GUri":
        return `\`${expr.value}\``;
      case "GByteArray":
        return toHex(expr.value);
      case "GDouble":
        return printDouble(expr.bits);
      case "GBigInt":
        return `${integerOf(expr.value)}n`;
      case "GBigRational":
        return `${integerOf(expr.numerator)}/${integerOf(expr.denominator)}r`;
      case "GFixedPoint":
        return printFixedPoint(expr);
      case "EVar":
        return this.variable(expr.v);
      case "EmptyExpr":
        return "Nil";
      default:
        return this.compound(expr);
    }
  }

  private compound(expr: Expr): string {
    switch (expr.kind) {
      case "EUnary":
        return `${expr.operator === "ENeg" ? "-" : "~"}${wrapped(this.par(expr.p, 0))}`;
      case "EBinary":
        return `${this.par(expr.p1, 0)} ${f1r3nodeOperatorText[expr.operator]} ${wrapped(this.par(expr.p2, 0))}`;
      case "EMatches":
        return wrapped(`${this.par(expr.target, 0)} matches ${this.par(expr.pattern, 0)}`);
      case "EList":
        return `[${this.pars(expr.ps, ", ")}${this.remainder(expr.remainder)}]`;
      case "ETuple":
        return `(${this.pars(expr.ps, ", ")})`;
      case "ESet":
        return `Set(${this.pars(expr.ps, ", ")}${this.remainder(expr.remainder)})`;
      case "EPathMap":
        return `{|${this.pars(expr.ps, ", ")}${this.remainder(expr.remainder)}|}`;
      case "EMap": {
        const entries = expr.kvs.map(({ key, value }) => `${this.par(key, 0)} : ${this.par(value, 0)}`);
        return `{${entries.join(", ")}${this.remainder(expr.remainder)}}`;
      }
      case "EMethod": {
        const args = this.pars(expr.args, ", ");
        return `(${this.par(expr.target, 0)}).${expr.methodName}(${args})`;
      }
      case "EZipper":
        return this.zipper(expr);
      default:
        return "";
    }
  }

  private zipper({ pathMap, currentPath, isWriteZipper }: EZipper): string {
    const path = currentPath.map((segment) => `0x${toHex(segment)}`).join(", ");
    const map = pathMap === undefined ? "{||}" : this.compound(pathMap);
    return `${isWriteZipper ? "Write" : "Read"}Zipper(at: [${path}], ${map})`;
  }

  /** Quirk 61 §5: the name of a free variable is always that outside of patterns. */
  private remainder(remainder: Var | undefined): string {
    switch (remainder?.kind) {
      case undefined:
        return "";
      case "FreeVar":
        return `...free${this.freeShift + remainder.index}`;
      case "BoundVar":
        return `...bound${this.boundShift + remainder.index}`;
      case "Wildcard":
        return "..._";
      case "EmptyVar":
        return "...Nil";
    }
  }

  private variable(v: Var): string {
    switch (v.kind) {
      case "FreeVar":
        return `${this.freeId}${this.freeShift + v.index}`;
      case "BoundVar": {
        const sign = this.isNew(v.index) && !this.isBuildingChannel ? "*" : "";
        return `${sign}${rotated(this.baseId)}${this.boundShift - v.index - 1}`;
      }
      case "Wildcard":
        return "_";
      case "EmptyVar":
        return "@Nil";
    }
  }
}

function printUnforgeable(unforgeable: Unforgeable): string {
  switch (unforgeable.kind) {
    case "GPrivate":
      return `Unforgeable(0x${toHex(unforgeable.id)})`;
    case "GDeployId":
      return `DeployId(0x${toHex(unforgeable.signature)})`;
    case "GDeployerId":
      return `DeployerId(0x${toHex(unforgeable.publicKey)})`;
    case "GSysAuthToken":
      return "GSysAuthTokenBody(GSysAuthToken)";
    case "EmptyUnforgeable":
      return "Nil";
  }
}

/** In parentheses, unless it is an integer of 32 bits or has some already. */
function wrapped(text: string): string {
  if (/^[+-]?\d+$/.test(text) && Number(text) >= -(2 ** 31) && Number(text) < 2 ** 31) return text;
  return text.startsWith("(") && text.endsWith(")") ? text : `(${text})`;
}

function blanks(indent: number): string {
  return "  ".repeat(indent);
}
