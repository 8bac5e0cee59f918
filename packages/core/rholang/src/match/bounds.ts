import type { Connective, Par } from "@vedette/terms";

/**
 * Numbers of elements of a Par: sends, receives, news, exprs, matches, unforgeables, bundles, in this order.
 *
 * @spec 22 §1.5
 */
export type ParCount = readonly [number, number, number, number, number, number, number];

/** The fewest and the most elements that a pattern can take. @spec 22 §1.5 */
export interface Bounds {
  readonly low: ParCount;
  readonly high: ParCount;
}

const most = 2147483647;
const zero: ParCount = [0, 0, 0, 0, 0, 0, 0];
const unlimited: ParCount = [most, most, most, most, most, most, most];
const oneExpr: ParCount = [0, 0, 0, 1, 0, 0, 0];
const nothing: Bounds = { low: zero, high: zero };
const anything: Bounds = { low: zero, high: unlimited };
const singleExpr: Bounds = { low: oneExpr, high: oneExpr };

/** Bounds of a Par pattern without its connectives. @spec 22 §1.5 */
export function baseBounds(pattern: Par): Bounds {
  let variables = 0;
  let open = false;
  for (const expr of pattern.exprs) {
    if (expr.kind !== "EVar") continue;
    const kind = expr.v.kind;
    if (kind === "FreeVar" || kind === "Wildcard") {
      variables += 1;
      open = true;
    }
  }
  const counts: ParCount = [
    pattern.sends.length,
    pattern.receives.length,
    pattern.news.length,
    pattern.exprs.length - variables,
    pattern.matches.length,
    pattern.unforgeables.length,
    pattern.bundles.length,
  ];
  return { low: counts, high: open ? unlimited : counts };
}

/** Bounds of one connective. @spec 22 §1.5 */
export function connectiveBounds(connective: Connective): Bounds {
  switch (connective.kind) {
    case "ConnectiveAnd": {
      let low = zero;
      let high = unlimited;
      for (const p of connective.ps) {
        const bounds = parBounds(p);
        low = combine(low, bounds.low, Math.max);
        high = combine(high, bounds.high, Math.min);
      }
      return { low, high };
    }
    case "ConnectiveOr": {
      let low = unlimited;
      let high = zero;
      for (const p of connective.ps) {
        const bounds = parBounds(p);
        low = combine(low, bounds.low, Math.min);
        high = combine(high, bounds.high, Math.max);
      }
      return { low, high };
    }
    case "ConnectiveNot":
      return anything;
    case "ConnectiveType":
      return singleExpr;
    case "VarRef":
    case "EmptyConnective":
      return nothing;
  }
}

/** The numbers of elements of a process. */
export function countsOf(par: Par): ParCount {
  const { sends, receives, news, exprs, matches, unforgeables, bundles } = par;
  return [
    sends.length,
    receives.length,
    news.length,
    exprs.length,
    matches.length,
    unforgeables.length,
    bundles.length,
  ];
}

/** Whether numbers of elements lie within bounds. */
export function isWithin(
  { low, high }: { readonly low: readonly number[]; readonly high: readonly number[] },
  counts: readonly number[],
): boolean {
  for (let kind = 0; kind < counts.length; kind += 1)
    if (counts[kind]! < low[kind]! || counts[kind]! > high[kind]!) return false;
  return true;
}

/** Sum of two bounds, which saturates. @spec 22 §1.5 */
export function addBounds(left: Bounds, right: Bounds): Bounds {
  return { low: combine(left.low, right.low, saturatingAdd), high: combine(left.high, right.high, saturatingAdd) };
}

function parBounds(par: Par): Bounds {
  let bounds = baseBounds(par);
  for (const connective of par.connectives) bounds = addBounds(bounds, connectiveBounds(connective));
  return bounds;
}

function saturatingAdd(left: number, right: number): number {
  return Math.min(most, left + right);
}

function combine(left: ParCount, right: ParCount, operation: (a: number, b: number) => number): ParCount {
  return [
    operation(left[0], right[0]),
    operation(left[1], right[1]),
    operation(left[2], right[2]),
    operation(left[3], right[3]),
    operation(left[4], right[4]),
    operation(left[5], right[5]),
    operation(left[6], right[6]),
  ];
}
