import { toHex } from "@vedette/crypto";
import {
  type BinaryOperator,
  type Bundle,
  doubleOf,
  type EMap,
  type Expr,
  type EZipper,
  integerOf,
  type Par,
  type Unforgeable,
} from "@vedette/terms";
import { type JsonValue, printJson } from "../json/printJson.js";
import { groundExpr, push, type RhoExpr } from "./rhoExpr.js";

/**
 * Returns a process as a client of f1r3node sees it: like {@link rhoExprOf}, with all kinds of values, operators and
 * variables, bundles as bundles, and a word in the place of processes.
 *
 * Quirk 50 §1.8: an empty process is left out, also where it is an element.
 *
 * @spec 50 §1.8, §10
 */
export function f1r3nodeExprOf(par: Par): RhoExpr | undefined {
  const values: RhoExpr[] = [];
  for (const expr of par.exprs) push(values, ofExpr(expr));
  for (const name of par.unforgeables) push(values, ofUnforgeable(name));
  for (const bundle of par.bundles) values.push(ofBundle(bundle));
  if (values.length > 1) return { ExprPar: { data: values } };
  return values[0] ?? (hasProcesses(par) ? unknown("Process") : undefined);
}

function hasProcesses({ sends, receives, news, matches, connectives }: Par): boolean {
  return [sends, receives, news, matches, connectives].some(({ length }) => length > 0);
}

/** In the place of what has no form of its own. */
function unknown(what: string): RhoExpr {
  return { ExprUnknown: { type_name: what } };
}

function operand(par: Par): RhoExpr {
  return f1r3nodeExprOf(par) ?? unknown("Nil");
}

function elements(pars: readonly Par[]): RhoExpr[] {
  const values: RhoExpr[] = [];
  for (const par of pars) push(values, f1r3nodeExprOf(par));
  return values;
}

function ofExpr(expr: Expr): RhoExpr | undefined {
  switch (expr.kind) {
    case "GDouble":
      return { ExprFloat: { data: doubleOf(expr.bits) } };
    case "GBigInt":
      return { ExprBigInt: { data: String(integerOf(expr.value)) } };
    case "GBigRational": {
      const [numerator, denominator] = [integerOf(expr.numerator), integerOf(expr.denominator)];
      return { ExprBigRat: { numerator: String(numerator), denominator: String(denominator) } };
    }
    case "GFixedPoint":
      return { ExprFixedPoint: { value: String(integerOf(expr.unscaled)), scale: expr.scale } };
    default:
      return ofCompound(expr);
  }
}

function ofCompound(expr: Expr): RhoExpr | undefined {
  switch (expr.kind) {
    case "ETuple":
      return { ExprTuple: { data: elements(expr.ps) } };
    case "EList":
    case "EPathMap":
      return { ExprList: { data: elements(expr.ps) } };
    case "ESet":
      return { ExprSet: { data: elements(expr.ps) } };
    case "EMap":
      return { ExprMap: { data: ofMap(expr) } };
    case "EZipper":
      return ofZipper(expr);
    case "EUnary":
      return { [expr.operator === "ENeg" ? "ExprNeg" : "ExprNot"]: { data: operand(expr.p) } };
    case "EBinary":
      return { [binaryNames[expr.operator]]: { left: operand(expr.p1), right: operand(expr.p2) } };
    case "EMatches":
      return { ExprMatches: { target: operand(expr.target), pattern: operand(expr.pattern) } };
    case "EMethod":
      return { ExprMethod: { target: operand(expr.target), name: expr.methodName, args: elements(expr.args) } };
    case "EVar":
      return { ExprVar: { index: "index" in expr.v ? expr.v.index : -1 } };
    default:
      return groundExpr(expr);
  }
}

const binaryNames: Readonly<Record<BinaryOperator, string>> = {
  EMult: "ExprMult",
  EDiv: "ExprDiv",
  EMod: "ExprMod",
  EPlus: "ExprPlus",
  EMinus: "ExprMinus",
  ELt: "ExprLt",
  ELte: "ExprLte",
  EGt: "ExprGt",
  EGte: "ExprGte",
  EEq: "ExprEq",
  ENeq: "ExprNeq",
  EAnd: "ExprAnd",
  EOr: "ExprOr",
  EPercentPercent: "ExprInterpolate",
  EPlusPlus: "ExprConcat",
  EMinusMinus: "ExprDiff",
};

/** The map as a list, and the path. */
function ofZipper({ pathMap, currentPath }: EZipper): RhoExpr {
  const map = { ExprList: { data: pathMap === undefined ? [] : elements(pathMap.ps) } };
  const path = { ExprList: { data: currentPath.map((segment) => ({ ExprBytes: { data: toHex(segment) } })) } };
  return { ExprTuple: { data: [map, path] } };
}

function ofBundle({ body, readFlag, writeFlag }: Bundle): RhoExpr {
  return { ExprBundle: { data: operand(body), read: readFlag, write: writeFlag } };
}

function ofMap(map: EMap): { readonly [key: string]: JsonValue } {
  // A null prototype keeps a key such as "__proto__" an ordinary key.
  const entries: { [key: string]: JsonValue } = Object.create(null);
  for (const pair of map.kvs) {
    const key = f1r3nodeExprOf(pair.key);
    const value = f1r3nodeExprOf(pair.value);
    if (key !== undefined && value !== undefined) entries[keyText(key)] = value;
  }
  return entries;
}

/** Returns the text of a plain value, for others their JSON. */
function keyText(key: RhoExpr): string {
  const [kind, content] = Object.entries(key)[0]!;
  if (kind === "ExprUnforg") return unforgeableText(key);
  const { data } = content as { readonly data?: JsonValue };
  return plainKinds.has(kind) ? String(data) : printJson(key);
}

const plainKinds = new Set(["ExprString", "ExprInt", "ExprBool", "ExprFloat", "ExprBigInt", "ExprUri", "ExprBytes"]);

function unforgeableText(key: RhoExpr): string {
  const { data } = key["ExprUnforg"] as { readonly data: string | { readonly [kind: string]: { data: string } } };
  return typeof data === "string" ? "SysAuthToken" : Object.values(data)[0]!.data;
}

function ofUnforgeable(name: Unforgeable): RhoExpr | undefined {
  switch (name.kind) {
    case "GPrivate":
      return unforgeable("UnforgPrivate", name.id);
    case "GDeployId":
      return unforgeable("UnforgDeploy", name.signature);
    case "GDeployerId":
      return unforgeable("UnforgDeployer", name.publicKey);
    case "GSysAuthToken":
      return { ExprUnforg: { data: "UnforgSysAuthToken" } };
    case "EmptyUnforgeable":
      return undefined;
  }
}

function unforgeable(kind: string, bytes: Uint8Array): RhoExpr {
  return { ExprUnforg: { data: { [kind]: { data: toHex(bytes) } } } };
}
