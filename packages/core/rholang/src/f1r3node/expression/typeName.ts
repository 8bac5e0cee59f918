import type { Expr } from "@vedette/terms";

const binaryNames = {
  EMult: "mult",
  EDiv: "div",
  EMod: "mod",
  EPlus: "plus",
  EMinus: "minus",
  ELt: "elt",
  ELte: "elte",
  EGt: "egt",
  EGte: "egte",
  EEq: "eeq",
  ENeq: "eneq",
  EAnd: "eand",
  EOr: "eor",
  EPercentPercent: "epercent percent",
  EPlusPlus: "plus plus",
  EMinusMinus: "minus minus",
} as const;

const names: Readonly<Record<Exclude<Expr["kind"], "EBinary" | "EUnary">, string>> = {
  GBool: "bool",
  GInt: "int",
  GString: "string",
  GUri: "uri",
  GByteArray: "byte array",
  GDouble: "float",
  GBigInt: "bigint",
  GBigRational: "bigrat",
  GFixedPoint: "fixedpoint",
  EVar: "evar",
  EMatches: "ematches",
  EList: "list",
  ETuple: "tuple",
  ESet: "set",
  EMap: "map",
  EMethod: "emethod",
  EPathMap: "pathmap",
  EZipper: "zipper",
  EmptyExpr: "None",
};

/** The name of a value's type in f1r3node's error texts. @spec 61 §6.5 */
export function f1r3nodeTypeName(expr: Expr): string {
  if (expr.kind === "EBinary") return binaryNames[expr.operator];
  if (expr.kind === "EUnary") return expr.operator === "ENot" ? "enot" : "eneg";
  return names[expr.kind];
}
