import { toHex } from "@vedette/crypto";
import {
  type Bundle,
  type Connective,
  doubleOf,
  type EPathMap,
  type Expr,
  type EZipper,
  type If,
  integerOf,
  type KeyValuePair,
  type Match,
  type MatchCase,
  type New,
  type Par,
  type Receive,
  type ReceiveBind,
  type Send,
  type Unforgeable,
  type Var,
} from "@vedette/terms";
import type { TextWriter } from "./TextWriter.js";

/**
 * A term as rnode's derived JSON: every field of its message, a oneof as an object with the case's name.
 * Sets of free variables and random states are printed as `{}`.
 *
 * Recursion is as deep as the term: to be run on a deep stack.
 *
 * @spec 50 §1.9 (transactions), §2.2
 */
export function printPar(out: TextWriter, par: Par): void {
  const each = <T>(name: string, items: readonly T[], write: (out: TextWriter, item: T) => void) => {
    out.write(name);
    out.list(items, (item) => write(out, item));
  };
  each('{"sends":', par.sends, printSend);
  each(',"receives":', par.receives, printReceive);
  each(',"news":', par.news, printNew);
  each(',"exprs":', par.exprs, printExpr);
  each(',"matches":', par.matches, printMatch);
  each(',"unforgeables":', par.unforgeables, printUnforgeable);
  each(',"bundles":', par.bundles, printBundle);
  each(',"connectives":', par.connectives, printConnective);
  // Fields of f1r3node alone are printed only if they are present: rnode's terms never have them.
  if (par.conditionals.length > 0) each(',"conditionals":', par.conditionals, printConditional);
  out.write(`,"locallyFree":{},"connectiveUsed":${par.connectiveUsed}}`);
}

/** An array of terms. @spec 50 §2.2 */
export function printPars(out: TextWriter, pars: readonly Par[]): void {
  out.list(pars, (par) => printPar(out, par));
}

/** `null` where there is no variable. @spec 50 §2.2 */
export function printRemainder(out: TextWriter, variable: Var | undefined): void {
  if (variable === undefined) out.write("null");
  else printVar(out, variable);
}

function printSend(out: TextWriter, { chan, data, persistent, connectiveUsed }: Send): void {
  out.write('{"chan":');
  printPar(out, chan);
  out.write(',"data":');
  printPars(out, data);
  out.write(`,"persistent":${persistent},"locallyFree":{},"connectiveUsed":${connectiveUsed}}`);
}

function printReceive(out: TextWriter, receive: Receive): void {
  const { persistent, peek, bindCount, connectiveUsed } = receive;
  out.write('{"binds":');
  out.list(receive.binds, (bind) => printBind(out, bind));
  out.write(',"body":');
  printPar(out, receive.body);
  out.write(`,"persistent":${persistent},"peek":${peek},"bindCount":${bindCount}`);
  out.write(`,"locallyFree":{},"connectiveUsed":${connectiveUsed}`);
  printGuard(out, "condition", receive.condition);
  out.write("}");
}

function printGuard(out: TextWriter, name: "condition" | "guard", guard: Par | undefined): void {
  if (guard === undefined) return;
  out.write(`,"${name}":`);
  printPar(out, guard);
}

function printConditional(out: TextWriter, { condition, ifTrue, ifFalse, connectiveUsed }: If): void {
  out.write('{"condition":');
  printPar(out, condition);
  out.write(',"ifTrue":');
  printPar(out, ifTrue);
  out.write(',"ifFalse":');
  printPar(out, ifFalse);
  out.write(`,"locallyFree":{},"connectiveUsed":${connectiveUsed}}`);
}

function printBind(out: TextWriter, { patterns, source, remainder, freeCount }: ReceiveBind): void {
  out.write('{"patterns":');
  printPars(out, patterns);
  out.write(',"source":');
  printPar(out, source);
  out.write(',"remainder":');
  printRemainder(out, remainder);
  out.write(`,"freeCount":${freeCount}}`);
}

function printNew(out: TextWriter, { bindCount, p, uri, injections }: New): void {
  out.write(`{"bindCount":${bindCount},"p":`);
  printPar(out, p);
  out.write(`,"uri":${JSON.stringify(uri)},"injections":{`);
  let isFirst = true;
  for (const [urn, value] of injections) {
    out.write(`${isFirst ? "" : ","}${JSON.stringify(urn)}:`);
    printPar(out, value);
    isFirst = false;
  }
  out.write('},"locallyFree":{}}');
}

function printMatch(out: TextWriter, { target, cases, connectiveUsed }: Match): void {
  out.write('{"target":');
  printPar(out, target);
  out.write(',"cases":');
  out.list(cases, (one) => printCase(out, one));
  out.write(`,"locallyFree":{},"connectiveUsed":${connectiveUsed}}`);
}

function printCase(out: TextWriter, { pattern, source, freeCount, guard }: MatchCase): void {
  out.write('{"pattern":');
  printPar(out, pattern);
  out.write(',"source":');
  printPar(out, source);
  out.write(`,"freeCount":${freeCount}`);
  printGuard(out, "guard", guard);
  out.write("}");
}

function printBundle(out: TextWriter, { body, writeFlag, readFlag }: Bundle): void {
  out.write('{"body":');
  printPar(out, body);
  out.write(`,"writeFlag":${writeFlag},"readFlag":${readFlag}}`);
}

function printVar(out: TextWriter, variable: Var): void {
  out.write(`{"varInstance":${varText(variable)}}`);
}

function varText(variable: Var): string {
  switch (variable.kind) {
    case "BoundVar":
    case "FreeVar":
      return `{"${variable.kind}":{"value":${variable.index}}}`;
    case "Wildcard":
      return '{"Wildcard":{"value":{}}}';
    case "EmptyVar":
      return '{"Empty":{}}';
  }
}

function printUnforgeable(out: TextWriter, name: Unforgeable): void {
  out.write(`{"unfInstance":${unforgeableText(name)}}`);
}

function unforgeableText(name: Unforgeable): string {
  switch (name.kind) {
    case "GPrivate":
      return `{"GPrivateBody":{"value":{"id":"${toHex(name.id)}"}}}`;
    case "GDeployId":
      return `{"GDeployIdBody":{"value":{"sig":"${toHex(name.signature)}"}}}`;
    case "GDeployerId":
      return `{"GDeployerIdBody":{"value":{"publicKey":"${toHex(name.publicKey)}"}}}`;
    case "GSysAuthToken":
      return '{"GSysAuthTokenBody":{"value":{}}}';
    case "EmptyUnforgeable":
      return '{"Empty":{}}';
  }
}

function printConnective(out: TextWriter, connective: Connective): void {
  out.write('{"connectiveInstance":');
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr":
      out.write(`{"${connective.kind === "ConnectiveAnd" ? "ConnAndBody" : "ConnOrBody"}":{"value":{"ps":`);
      printPars(out, connective.ps);
      out.write("}}}");
      break;
    case "ConnectiveNot":
      out.write('{"ConnNotBody":{"value":');
      printPar(out, connective.body);
      out.write("}}");
      break;
    case "VarRef":
      out.write(`{"VarRefBody":{"value":{"index":${connective.index},"depth":${connective.depth}}}}`);
      break;
    case "ConnectiveType":
      out.write(`{"Conn${connective.typeName}":{"value":${connective.value}}}`);
      break;
    case "EmptyConnective":
      out.write('{"Empty":{}}');
  }
  out.write("}");
}

function printExpr(out: TextWriter, expr: Expr): void {
  out.write('{"exprInstance":');
  if (expr.kind === "EmptyExpr") out.write('{"Empty":{}}');
  else {
    out.write(`{"${caseName(expr)}":{"value":`);
    printExprValue(out, expr);
    out.write("}}");
  }
  out.write("}");
}

function caseName(expr: Expr): string {
  if (expr.kind === "EUnary" || expr.kind === "EBinary") return `${expr.operator}Body`;
  return expr.kind.startsWith("G") ? expr.kind : `${expr.kind}Body`;
}

function printExprValue(out: TextWriter, expr: Exclude<Expr, { readonly kind: "EmptyExpr" }>): void {
  switch (expr.kind) {
    case "GBool":
    case "GInt":
      out.write(String(expr.value));
      return;
    case "GString":
    case "GUri":
      out.write(JSON.stringify(expr.value));
      return;
    case "GByteArray":
      out.write(`"${toHex(expr.value)}"`);
      return;
    case "EVar":
      out.write('{"v":');
      printVar(out, expr.v);
      out.write("}");
      return;
    case "EUnary":
      printOperands(out, { p: expr.p });
      return;
    case "EBinary":
      printOperands(out, { p1: expr.p1, p2: expr.p2 });
      return;
    case "EMatches":
      printOperands(out, { target: expr.target, pattern: expr.pattern });
      return;
    case "ESet":
      printPars(out, expr.ps);
      return;
    case "EMap":
      out.list(expr.kvs, (pair) => printPair(out, pair));
      return;
    case "EList":
    case "ETuple":
    case "EMethod":
      printLarger(out, expr);
      return;
    case "EPathMap":
    case "EZipper":
      printPathMap(out, expr);
      return;
    default:
      printNumber(out, expr);
  }
}

/** Integers as texts, as they may have any size. @spec 50 §2.2 */
function printNumber(
  out: TextWriter,
  expr: Extract<Expr, { readonly kind: "GDouble" | "GBigInt" | "GBigRational" | "GFixedPoint" }>,
): void {
  switch (expr.kind) {
    case "GDouble": {
      const value = doubleOf(expr.bits);
      out.write(Number.isFinite(value) ? String(value) : `"${value}"`);
      return;
    }
    case "GBigInt":
      out.write(`"${integerOf(expr.value)}"`);
      return;
    case "GBigRational":
      out.write(`{"numerator":"${integerOf(expr.numerator)}","denominator":"${integerOf(expr.denominator)}"}`);
      return;
    case "GFixedPoint":
      out.write(`{"unscaled":"${integerOf(expr.unscaled)}","scale":${expr.scale}}`);
      return;
  }
}

function printPathMap(out: TextWriter, expr: EPathMap | EZipper): void {
  const flags = `,"locallyFree":{},"connectiveUsed":${expr.connectiveUsed}`;
  if (expr.kind === "EPathMap") {
    out.write('{"ps":');
    printPars(out, expr.ps);
    out.write(`${flags},"remainder":`);
    printRemainder(out, expr.remainder);
    out.write("}");
    return;
  }
  out.write('{"pathmap":');
  if (expr.pathMap === undefined) out.write("null");
  else printPathMap(out, expr.pathMap);
  const path = expr.currentPath.map((segment) => `"${toHex(segment)}"`).join(",");
  out.write(`,"currentPath":[${path}],"isWriteZipper":${expr.isWriteZipper}${flags}}`);
}

function printLarger(out: TextWriter, expr: Extract<Expr, { readonly kind: "EList" | "ETuple" | "EMethod" }>): void {
  const flags = `,"locallyFree":{},"connectiveUsed":${expr.connectiveUsed}`;
  switch (expr.kind) {
    case "EMethod":
      out.write(`{"methodName":${JSON.stringify(expr.methodName)},"target":`);
      printPar(out, expr.target);
      out.write(',"arguments":');
      printPars(out, expr.args);
      out.write(`${flags}}`);
      return;
    case "ETuple":
      out.write('{"ps":');
      printPars(out, expr.ps);
      out.write(`${flags}}`);
      return;
    case "EList":
      out.write('{"ps":');
      printPars(out, expr.ps);
      out.write(`${flags},"remainder":`);
      printRemainder(out, expr.remainder);
      out.write("}");
      return;
  }
}

function printPair(out: TextWriter, { key, value }: KeyValuePair): void {
  out.write("[");
  printPar(out, key);
  out.write(",");
  printPar(out, value);
  out.write("]");
}

function printOperands(out: TextWriter, operands: { readonly [name: string]: Par }): void {
  let before = "{";
  for (const [name, operand] of Object.entries(operands)) {
    out.write(`${before}"${name}":`);
    printPar(out, operand);
    before = ",";
  }
  out.write("}");
}
