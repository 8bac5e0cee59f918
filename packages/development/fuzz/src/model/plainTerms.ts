import {
  anyConnectiveUsed,
  type EMap,
  type ESet,
  type Expr,
  type KeyValuePair,
  makeMap,
  makeSet,
  Par,
  type ParFields,
  rnodeAtoms,
  unionOfLocallyFree,
} from "@vedette/terms";

/** The captured values: level → value. */
export type Captured = ReadonlyMap<number, Par>;

/** The pattern binds a variable twice, which no program's does. */
export class TwiceBound extends Error {}

/** Operators with operands that are matched one by one. @spec 22 §1.9 */
export const matchedOperators = new Set([
  "EMult",
  "EDiv",
  "EMod",
  "EPercentPercent",
  "EPlus",
  "EPlusPlus",
  "EMinusMinus",
]);
const expressionOfType = { Bool: "GBool", Int: "GInt", String: "GString", Uri: "GUri", ByteArray: "GByteArray" };

/** @spec 22 §1.6 */
export function isOfType(target: Par, typeName: keyof typeof expressionOfType): boolean {
  const others = [target.sends, target.receives, target.news, target.matches, target.bundles];
  if (others.some((list) => list.length > 0) || target.exprs.length !== 1) return false;
  return target.exprs[0]!.kind === expressionOfType[typeName];
}

export function ofRemainder({ remainder }: ESet | EMap): {
  readonly level: number | undefined;
  readonly isWild: boolean;
} {
  return {
    level: remainder?.kind === "FreeVar" ? remainder.index : undefined,
    isWild: remainder?.kind === "Wildcard",
  };
}

export function setOf(list: readonly Par[]): Expr {
  return makeSet(list, unionOfLocallyFree(list), anyConnectiveUsed(list), undefined, rnodeAtoms);
}

export function mapOf(list: readonly KeyValuePair[]): Expr {
  const parts = list.flatMap(({ key, value }) => [key, value]);
  return makeMap(list, unionOfLocallyFree(parts), anyConnectiveUsed(parts), undefined, rnodeAtoms);
}

export function field<K extends keyof ParFields>(name: K): (par: Par, list: NonNullable<ParFields[K]>) => Par {
  return (par, list) => Par.of({ ...plain(par), [name]: list });
}

/** The lists of a Par that a remainder grows in, with flags that stay empty. */
export function plain(par: Par): ParFields {
  const { sends, receives, news, exprs, matches, unforgeables, bundles, connectives } = par;
  return { sends, receives, news, exprs, matches, unforgeables, bundles, connectives };
}

/** @spec 22 §1.7 */
export function merged(captured: Captured, results: readonly Captured[]): Captured {
  const added = results.flatMap((result) => [...result.keys()].filter((level) => !captured.has(level)));
  if (new Set(added).size !== added.length) throw new TwiceBound();
  return new Map([...captured, ...results.flatMap((result) => [...result])]);
}

export function freeLevel(expr: Expr): number | undefined {
  return expr.kind === "EVar" && expr.v.kind === "FreeVar" ? expr.v.index : undefined;
}

export function isHole(expr: Expr): boolean {
  return expr.kind === "EVar" && (expr.v.kind === "FreeVar" || expr.v.kind === "Wildcard");
}

export function isClosedPar(par: Par): boolean {
  return par.locallyFree.length === 0;
}
