import { toHex } from "@vedette/crypto";
import {
  type Bundle,
  type Connective,
  type Expr,
  isNil,
  type KeyValuePair,
  type Match,
  type MatchCase,
  type New,
  type Par,
  type Receive,
  type ReceiveBind,
  type Send,
} from "../model/Par.js";
import type { Unforgeable } from "../model/Unforgeable.js";
import type { Var } from "../model/Var.js";
import { boundedText } from "./boundedText.js";
import { operatorText } from "./operatorText.js";
import { type PrintOptions, PrintScope } from "./PrintScope.js";
import { wrapOperation, wrapTerm } from "./parentheses.js";

/** The text of a term for people: standard output, the read-eval-print loop, error texts. @spec 20 §12 */
export function printPar(par: Par, options: PrintOptions = {}): string {
  return printed(options, (scope) => writePar(par, scope, 0));
}

/** The text of an expression. @spec 20 §12 */
export function printExpr(expr: Expr, options: PrintOptions = {}): string {
  return printed(options, (scope) => writeExpr(expr, scope));
}

/** The text of a variable. @spec 20 §12 */
export function printVar(v: Var, options: PrintOptions = {}): string {
  return printed(options, (scope) => writeVar(v, scope));
}

function printed(options: PrintOptions, write: (scope: PrintScope) => string): string {
  const text = boundedText(() => write(PrintScope.start(options)));
  return options.trimAfter === undefined ? text : `${text.slice(0, options.trimAfter)}...`;
}

/** Writes a Par with its first line at an indent, in steps of two blanks. */
function writePar(par: Par, scope: PrintScope, indent: number): string {
  if (isNil(par)) return "Nil";
  const items: string[] = [];
  for (const bundle of par.bundles) items.push(writeBundle(bundle, scope, indent));
  for (const send of par.sends) items.push(writeSend(send, scope));
  for (const receive of par.receives) items.push(writeReceive(receive, scope, indent));
  for (const fresh of par.news) items.push(writeNew(fresh, scope, indent));
  for (const expr of par.exprs) items.push(writeExpr(expr, scope));
  for (const match of par.matches) items.push(writeMatch(match, scope, indent));
  for (const unforgeable of par.unforgeables) items.push(writeUnforgeable(unforgeable));
  for (const connective of par.connectives) items.push(writeConnective(connective, scope));
  return items.length === 1 ? items[0]! : concatenated(items, ` |\n${blanks(indent)}`);
}

/** Writes terms at indent 0, with a text between them. */
function writePars(pars: readonly Par[], scope: PrintScope, separator: string): string {
  return concatenated(
    pars.map((par) => writePar(par, scope, 0)),
    separator,
  );
}

/** `join` would copy the texts; added to each other they are copied once in the end, however deep the term is. */
function concatenated(texts: readonly string[], separator: string): string {
  let all = texts[0] ?? "";
  for (let i = 1; i < texts.length; i += 1) all += separator + texts[i];
  return all;
}

const maxLengthOnOneLine = 60;
const lineBreak = /\n(?:[ \t\n\v\f\r]{2})*/g;

function writeChannel(par: Par, scope: PrintScope, indent: number): string {
  const channel = scope.asChannel();
  const text = writePar(par, channel, indent);
  const line = text.length <= maxLengthOnOneLine ? text.replace(lineBreak, " ") : text;
  return isNewName(par, channel) ? line : `@{${line}}`;
}

/** Whether the expressions are one variable that `new` brought in. Quirk 20 §12.2: other lists do not count. */
function isNewName(par: Par, scope: PrintScope): boolean {
  const expr = par.exprs[0];
  if (par.exprs.length !== 1 || expr?.kind !== "EVar" || expr.v.kind !== "BoundVar") return false;
  return scope.isNewVar(expr.v.index);
}

function blanks(indent: number): string {
  return "  ".repeat(indent);
}

function writeBundle(bundle: Bundle, scope: PrintScope, indent: number): string {
  const body = writePar(bundle.body, scope, indent + 1);
  return `${bundleTag(bundle).padEnd(8)}{ ${blanks(indent + 1)}${body} }`;
}

function bundleTag(bundle: Bundle): string {
  if (bundle.writeFlag) return bundle.readFlag ? "bundle" : "bundle+";
  return bundle.readFlag ? "bundle-" : "bundle0";
}

function writeSend(send: Send, scope: PrintScope): string {
  const channel = writeChannel(send.chan, scope, 0);
  return `${channel}${send.persistent ? "!!" : "!"}(${writePars(send.data, scope, ", ")})`;
}

function writeReceive(receive: Receive, scope: PrintScope, indent: number): string {
  const binds: string[] = [];
  let freeBefore = 0;
  for (const bind of receive.binds) {
    const source = writeChannel(bind.source, scope, indent);
    binds.push(`${bindPatterns(bind, scope.inPattern(freeBefore))} ${arrow(receive)} ${source}`);
    freeBefore += bind.freeCount;
  }
  const body = writePar(receive.body, scope.withBound(freeBefore), indent + 1);
  return `for( ${concatenated(binds, "  & ")} ) ${block(body, indent)}`;
}

/** Quirk 20 §12.2: the remainder is not printed. */
function bindPatterns(bind: ReceiveBind, scope: PrintScope): string {
  return concatenated(
    bind.patterns.map((pattern) => writeChannel(pattern, scope, 0)),
    ", ",
  );
}

function arrow(receive: Receive): string {
  if (receive.persistent) return "<=";
  return receive.peek ? "<<-" : "<-";
}

function block(body: string, indent: number): string {
  return `{\n${blanks(indent + 1)}${body}\n${blanks(indent)}}`;
}

/** Quirk 20 §12.2: URIs are not printed. */
function writeNew(fresh: New, scope: PrintScope, indent: number): string {
  const body = writePar(fresh.p, scope.withNew(fresh.bindCount), indent + 1);
  return `new ${scope.nextNames(fresh.bindCount).join(", ")} in ${block(body, indent)}`;
}

function writeMatch(match: Match, scope: PrintScope, indent: number): string {
  const cases = concatenated(
    match.cases.map((one) => writeCase(one, scope, indent + 1)),
    "\n",
  );
  return `match ${writePar(match.target, scope, 0)} {\n${cases}\n${blanks(indent)}}`;
}

function writeCase(one: MatchCase, scope: PrintScope, indent: number): string {
  const pattern = writePar(one.pattern, scope.inPattern(0), indent);
  const body = writePar(one.source, scope.withBound(one.freeCount), indent + 1);
  return `${blanks(indent)}${pattern} => ${block(body, indent)}`;
}

function writeUnforgeable(unforgeable: Unforgeable): string {
  switch (unforgeable.kind) {
    case "GPrivate":
      return `Unforgeable(0x${toHex(unforgeable.id)})`;
    case "GDeployId":
      return `DeployId(0x${toHex(unforgeable.signature)})`;
    case "GDeployerId":
      return `DeployerId(0x${toHex(unforgeable.publicKey)})`;
    case "GSysAuthToken":
      return "GSysAuthTokenBody(GSysAuthToken())";
    case "EmptyUnforgeable":
      return "Nil";
  }
}

function writeConnective(connective: Connective, scope: PrintScope): string {
  switch (connective.kind) {
    case "ConnectiveAnd":
      return `{${writePars(connective.ps, scope, " /\\ ")}}`;
    case "ConnectiveOr":
      return `{${writePars(connective.ps, scope, " \\/ ")}}`;
    case "ConnectiveNot":
      return `~{${writePar(connective.body, scope, 0)}}`;
    case "VarRef":
      return `=${scope.referenceName(connective.index)}`;
    case "ConnectiveType":
      return connective.typeName;
    case "EmptyConnective":
      return "";
  }
}

/** Writes an expression; its parts begin at indent 0. @spec 20 §12.2 */
export function writeExpr(expr: Expr, scope: PrintScope): string {
  switch (expr.kind) {
    case "GBool":
      return expr.value ? "true" : "false";
    case "GInt":
      return expr.value.toString();
    case "GString":
      return `"${expr.value}"`;
    case "GUri":
      return `\`${expr.value}\``;
    case "GByteArray":
      return toHex(expr.value);
    case "EVar":
      return writeVar(expr.v, scope);
    case "EmptyExpr":
      return "Nil";
    default:
      return writeCompound(expr, scope);
  }
}

function writeCompound(expr: Expr, scope: PrintScope): string {
  switch (expr.kind) {
    case "EUnary":
      return `${expr.operator === "ENeg" ? "-" : "~"}${wrapTerm(writePar(expr.p, scope, 0), expr.p)}`;
    case "EBinary":
      return writeOperation(expr.p1, operatorText[expr.operator], expr.p2, scope);
    case "EMatches":
      return writeOperation(expr.target, "matches", expr.pattern, scope);
    case "EList":
      return `[${writePars(expr.ps, scope, ", ")}${writeRemainder(expr.remainder, scope)}]`;
    case "ETuple":
      return `(${writePars(expr.ps, scope, ", ")})`;
    case "ESet":
      return `Set(${writePars(expr.ps, scope, ", ")}${writeRemainder(expr.remainder, scope)})`;
    case "EMap":
      return `{${writePairs(expr.kvs, scope)}${writeRemainder(expr.remainder, scope)}}`;
    case "EMethod":
      return `(${writePar(expr.target, scope, 0)}).${expr.methodName}(${writePars(expr.args, scope, ",")})`;
    default:
      return "";
  }
}

function writeOperation(first: Par, operator: string, last: Par, scope: PrintScope): string {
  return wrapOperation(`${writePar(first, scope, 0)} ${operator} ${writePar(last, scope, 0)}`, first, last);
}

function writePairs(pairs: readonly KeyValuePair[], scope: PrintScope): string {
  let text = "";
  for (const pair of pairs) text += (text === "" ? "" : ", ") + writePair(pair, scope);
  return text;
}

function writePair(pair: KeyValuePair, scope: PrintScope): string {
  return `${writePar(pair.key, scope, 0)} : ${writePar(pair.value, scope, 0)}`;
}

function writeRemainder(remainder: Var | undefined, scope: PrintScope): string {
  return remainder === undefined ? "" : `...${writeVar(remainder, scope)}`;
}

/** Writes a variable. @spec 20 §12.2 */
export function writeVar(v: Var, scope: PrintScope): string {
  switch (v.kind) {
    case "BoundVar":
      return `${scope.isNewVar(v.index) && !scope.isBuildingChannel ? "*" : ""}${scope.boundName(v.index)}`;
    case "FreeVar":
      return scope.freeName(v.index);
    case "Wildcard":
      return "_";
    case "EmptyVar":
      return "@Nil";
  }
}
