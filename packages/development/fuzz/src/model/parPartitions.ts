import { type Connective, type Expr, Par } from "@vedette/terms";
import { type Split, subsets } from "./subsets.js";

/** The kinds of elements of a Par, in the order in which their choices vary. @spec 22 §1.5 */
export const kinds = ["sends", "receives", "news", "exprs", "matches", "unforgeables", "bundles"] as const;

/** One number for each of {@link kinds}. */
export type Counts = readonly number[];

const maxOfAny = 2_147_483_647;
const none: Counts = kinds.map(() => 0);
const any: Counts = kinds.map(() => maxOfAny);
const oneExpr: Counts = kinds.map((kind) => (kind === "exprs" ? 1 : 0));

type Lists = { readonly [K in (typeof kinds)[number]]: readonly unknown[] };

export function sizes(par: Lists): Counts {
  return kinds.map((kind) => par[kind].length);
}

export function plus(left: Counts, right: Counts): Counts {
  return left.map((count, index) => Math.min(maxOfAny, count + right[index]!));
}

/** How little and how much of a process a connective can take. @spec 22 §1.5 */
export function bounds(connective: Connective): readonly [Counts, Counts] {
  switch (connective.kind) {
    case "ConnectiveAnd": {
      const all = connective.ps.map(boundsOfPar);
      return [
        all.reduce((most, [least]) => larger(most, least), none),
        all.reduce((least, [, most]) => smaller(least, most), any),
      ];
    }
    case "ConnectiveOr": {
      const all = connective.ps.map(boundsOfPar);
      return [
        all.reduce((least, [one]) => smaller(least, one), any),
        all.reduce((most, [, one]) => larger(most, one), none),
      ];
    }
    case "ConnectiveNot":
      return [none, any];
    case "ConnectiveType":
      return [oneExpr, oneExpr];
    default:
      return [none, none];
  }
}

function boundsOfPar(par: Par): readonly [Counts, Counts] {
  const isHole = (expr: Expr) => expr.kind === "EVar" && (expr.v.kind === "FreeVar" || expr.v.kind === "Wildcard");
  const own = sizes({ ...par, exprs: par.exprs.filter((expr) => !isHole(expr)) });
  const inner = par.connectives.map(bounds);
  const most = par.exprs.some(isHole) ? any : own;
  return [inner.reduce((sum, [least]) => plus(sum, least), own), inner.reduce((sum, [, one]) => plus(sum, one), most)];
}

function larger(left: Counts, right: Counts): Counts {
  return left.map((count, index) => Math.max(count, right[index]!));
}

function smaller(left: Counts, right: Counts): Counts {
  return left.map((count, index) => Math.min(count, right[index]!));
}

/** Every way to part a process for a connective, sends varying slowest. @spec 22 §1.5 */
export function* parPartitions(
  par: Par,
  [least, most]: readonly [Counts, Counts],
  [minLater, maxLater]: readonly [Counts, Counts],
): Generator<readonly [Par, Par]> {
  const choices = kinds.map((kind, index): readonly Split<unknown>[] => {
    const list: readonly unknown[] = par[kind];
    const highest = Math.min(most[index]!, list.length - minLater[index]!);
    const lowest = Math.max(least[index]!, list.length - maxLater[index]!);
    return subsets(list, lowest, highest);
  });
  for (const picked of product(choices)) {
    const parted = (part: "chosen" | "rest") =>
      Par.of(Object.fromEntries(kinds.map((kind, index) => [kind, picked[index]![part]])));
    yield [parted("chosen"), parted("rest")];
  }
}

function* product<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const one of first) for (const others of product(rest)) yield [one, ...others];
}
