import { toHex } from "@vedette/crypto";
import type { KeyValuePair } from "../model/Collection.js";
import type { BinaryOperator, Expr } from "../model/Expr.js";
import type { Var } from "../model/Var.js";
import type { PrintScope } from "./PrintScope.js";
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
      return `${expr.operator === "ENeg" ? "-" : "~"}${wrapped(writePar(expr.p, scope, 0))}`;
    case "EBinary":
      return wrapped(`${writePar(expr.p1, scope, 0)} ${operatorText[expr.operator]} ${writePar(expr.p2, scope, 0)}`);
    case "EMatches":
      return wrapped(`${writePar(expr.target, scope, 0)} matches ${writePar(expr.pattern, scope, 0)}`);
    case "EList":
      return `[${writePars(expr.ps, scope, ", ")}${writeRemainder(expr.remainder, scope)}]`;
    case "ETuple":
      return `(${writePars(expr.ps, scope, ", ")})`;
    case "ESet":
      return `Set(${writePars(expr.ps, scope, ", ")}${writeRemainder(expr.remainder, scope)})`;
    case "EMap":
      return `{${expr.kvs.map((pair) => writePair(pair, scope)).join(", ")}${writeRemainder(expr.remainder, scope)}}`;
    case "EMethod":
      return `(${writePar(expr.target, scope, 0)}).${expr.methodName}(${writePars(expr.args, scope, ",")})`;
    default:
      return "";
  }
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

/**
 * A text in parentheses.
 *
 * Quirk 20 §12.2: not where it reads as a 32-bit integer, nor where it starts and ends with one, whether or not
 * they belong together: `(1 + 2) * (3 + 4)`.
 */
function wrapped(text: string): string {
  if (text.startsWith("(") && text.endsWith(")")) return text;
  return isInt32(text) ? text : `(${text})`;
}

function isInt32(text: string): boolean {
  if (!/^[+-]?[0-9]+$/.test(text)) return false;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31;
}
