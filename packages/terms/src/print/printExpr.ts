import { toHex } from "@vedette/crypto";
import type { KeyValuePair } from "../model/Collection.js";
import type { BinaryOperator, Expr } from "../model/Expr.js";
import type { Par } from "../model/Par.js";
import type { Var } from "../model/Var.js";
import type { PrintScope } from "./PrintScope.js";
import { wrapOperation, wrapTerm } from "./parentheses.js";
import { writePar, writePars } from "./printTerm.js";

const operatorText: Readonly<Record<BinaryOperator, string>> = {
  EMult: "*",
  EDiv: "/",
  EMod: "%",
  EPlus: "+",
  EMinus: "-",
  ELt: "<",
  ELte: "<=",
  EGt: ">",
  EGte: ">=",
  EEq: "==",
  ENeq: "!=",
  EAnd: "&&",
  EOr: "||",
  EPercentPercent: "%%",
  EPlusPlus: "++",
  EMinusMinus: "--",
};

/** Writes an expression; its parts stand at indent 0. @spec 20 §12.2 */
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
