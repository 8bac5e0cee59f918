import { toHex } from "@vedette/crypto";
import { type EMap, type Expr, isNil, type Par, type Unforgeable } from "@vedette/terms";
import type { JsonValue } from "../json/printJson.js";

/** A Rholang value as JSON: an object with one key, the constructor's name. @spec 50 §1.8 */
export type RhoExpr = { readonly [kind: string]: JsonValue };

/**
 * Returns a process as a client sees it: its ground values, names and bundles' bodies; everything else is dropped.
 *
 * @spec 50 §1.8
 * @returns `undefined` if no part of a non-empty process can be shown (the value is then left out)
 */
export function rhoExprOf(par: Par): RhoExpr | undefined {
  const values: RhoExpr[] = [];
  for (const expr of par.exprs) push(values, ofExpr(expr));
  for (const name of par.unforgeables) push(values, ofUnforgeable(name));
  for (const bundle of par.bundles) push(values, rhoExprOf(bundle.body));
  if (values.length === 1) return values[0];
  if (values.length > 1) return { ExprPar: { data: values } };
  return isNil(par) ? { ExprNil: {} } : undefined;
}

/** One element for each process that can be shown. @spec 50 §1.8 */
export function rhoExprsOf(pars: readonly Par[]): RhoExpr[] {
  const values: RhoExpr[] = [];
  for (const par of pars) push(values, rhoExprOf(par));
  return values;
}

export function push(values: RhoExpr[], value: RhoExpr | undefined): void {
  if (value !== undefined) values.push(value);
}

function ofExpr(expr: Expr): RhoExpr | undefined {
  switch (expr.kind) {
    case "ETuple":
      return { ExprTuple: { data: rhoExprsOf(expr.ps) } };
    case "EList":
      return { ExprList: { data: rhoExprsOf(expr.ps) } };
    case "ESet":
      return { ExprSet: { data: rhoExprsOf(expr.ps) } };
    case "EMap":
      return { ExprMap: { data: ofMap(expr) } };
    default:
      return groundExpr(expr);
  }
}

/** A value that both dialects show in the same way. */
export function groundExpr(expr: Expr): RhoExpr | undefined {
  switch (expr.kind) {
    case "GBool":
      return { ExprBool: { data: expr.value } };
    case "GInt":
      return { ExprInt: { data: expr.value } };
    case "GString":
      return { ExprString: { data: expr.value } };
    case "GUri":
      return { ExprUri: { data: expr.value } };
    case "GByteArray":
      return { ExprBytes: { data: toHex(expr.value) } };
    default:
      return undefined;
  }
}

function ofMap(map: EMap): { readonly [key: string]: JsonValue } {
  const entries = new Map<string, RhoExpr>();
  for (const { key, value } of map.kvs) {
    const name = keyText(key);
    const shown = rhoExprOf(value);
    if (name !== undefined && shown !== undefined) entries.set(name, shown);
  }
  // A null prototype keeps a key such as "__proto__" an ordinary key.
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function keyText(key: Par): string | undefined {
  const count = key.exprs.length + key.unforgeables.length + key.bundles.length;
  if (count !== 1) return undefined;
  if (key.bundles.length === 1) return keyText(key.bundles[0]!.body);
  if (key.unforgeables.length === 1) return unforgeableHex(key.unforgeables[0]!);
  const expr = key.exprs[0]!;
  switch (expr.kind) {
    case "GString":
    case "GUri":
      return expr.value;
    case "GInt":
    case "GBool":
      return String(expr.value);
    case "GByteArray":
      return toHex(expr.value);
    default:
      return undefined;
  }
}

function ofUnforgeable(name: Unforgeable): RhoExpr | undefined {
  const hex = unforgeableHex(name);
  if (hex === undefined) return undefined;
  const kind =
    name.kind === "GPrivate" ? "UnforgPrivate" : name.kind === "GDeployId" ? "UnforgDeploy" : "UnforgDeployer";
  return { ExprUnforg: { data: { [kind]: { data: hex } } } };
}

function unforgeableHex(name: Unforgeable): string | undefined {
  switch (name.kind) {
    case "GPrivate":
      return toHex(name.id);
    case "GDeployId":
      return toHex(name.signature);
    case "GDeployerId":
      return toHex(name.publicKey);
    default:
      return undefined;
  }
}
