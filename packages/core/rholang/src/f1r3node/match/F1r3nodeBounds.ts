import type { Connective, Par } from "@vedette/terms";
import { freeParts } from "../../match/freeParts.js";

/** Sends, receives, news, exprs, matches, unforgeables, bundles. */
export type PartCounts = readonly number[];

/** The fewest and the most elements that a pattern can take. @spec 22 §1.5, 61 §6 */
export interface F1r3nodeBounds {
  readonly low: PartCounts;
  readonly high: PartCounts;
}

const kinds = 7;
/** Quirk 61 §6: as many as there can be of one kind; sums may be more. */
const most = 1000;
const zero: PartCounts = new Array<number>(kinds).fill(0);
const unlimited: PartCounts = new Array<number>(kinds).fill(most);
const oneExpr: PartCounts = [0, 0, 0, 1, 0, 0, 0];

/** Bounds of a Par pattern without its connectives. */
export function f1r3nodeBaseBounds(pattern: Par): F1r3nodeBounds {
  const { exprs, level, wildcard } = freeParts(pattern);
  const low = [
    pattern.sends.length,
    pattern.receives.length,
    pattern.news.length,
    exprs.length,
    pattern.matches.length,
    pattern.unforgeables.length,
    pattern.bundles.length,
  ];
  return { low, high: wildcard || level !== undefined ? unlimited : low };
}

/** Bounds of one connective. */
export function f1r3nodeConnectiveBounds(connective: Connective): F1r3nodeBounds {
  switch (connective.kind) {
    case "ConnectiveAnd":
    case "ConnectiveOr": {
      const isAnd = connective.kind === "ConnectiveAnd";
      const all = connective.ps.map(parBounds);
      const [least, greatest] = isAnd ? [Math.max, Math.min] : [Math.min, Math.max];
      return {
        low: all.reduce((low, each) => combined(low, each.low, least), isAnd ? zero : unlimited),
        high: all.reduce((high, each) => combined(high, each.high, greatest), isAnd ? unlimited : zero),
      };
    }
    case "ConnectiveNot":
      return { low: zero, high: unlimited };
    case "ConnectiveType":
      return { low: oneExpr, high: oneExpr };
    case "VarRef":
    case "EmptyConnective":
      return { low: zero, high: zero };
  }
}

export function addF1r3nodeBounds(left: F1r3nodeBounds, right: F1r3nodeBounds): F1r3nodeBounds {
  const sum = (a: number, b: number): number => a + b;
  return { low: combined(left.low, right.low, sum), high: combined(left.high, right.high, sum) };
}

function parBounds(par: Par): F1r3nodeBounds {
  return par.connectives.map(f1r3nodeConnectiveBounds).reduce(addF1r3nodeBounds, f1r3nodeBaseBounds(par));
}

function combined(left: PartCounts, right: PartCounts, operation: (a: number, b: number) => number): PartCounts {
  return left.map((each, kind) => operation(each, right[kind]!));
}
