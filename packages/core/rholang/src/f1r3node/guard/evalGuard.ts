import { errorClass } from "@vedette/errors";
import { type BinaryOperator, compareUtf8, type Expr, GBool, GInt, type ListParWithRandom, Par } from "@vedette/terms";
import { Environment } from "../../evaluate/Environment.js";
import { onlyBool, onlyExpr } from "../evaluate/onlyBool.js";
import { equalTerms } from "../expression/comparison.js";
import { parOf } from "../parOf.js";

/** A guard needs a value that it cannot have, which counts as "no". */
class GuardError extends errorClass("GuardError", (_: { readonly code: "noValue" }) => "A guard has no value") {}

/**
 * Whether a guard is `true` with these values. Whatever else it gives, or fails with, is "no"; it costs nothing.
 *
 * @spec 61 §6.3
 */
export function guardIsTrue(guard: Par, env: Environment): boolean {
  try {
    return onlyBool(evaluated(guard, env)) === true;
  } catch (error) {
    if (error instanceof GuardError) return false;
    throw error;
  }
}

/** The same for the guard of a receive, which sees the values of its binds alone. @spec 61 §3, §6.3 */
export function receiveGuardHolds(guard: Par, matched: readonly ListParWithRandom[]): boolean {
  return guardIsTrue(guard, Environment.of(matched.flatMap(({ pars }) => pars)));
}

/** The Par with its expressions evaluated; processes in it stay. */
function evaluated(par: Par, env: Environment): Par {
  const { exprs } = par;
  if (exprs.length === 0) return par;
  const values = exprs.map((expr) => valueOfExpr(expr, env));
  if (values.length === 1 && onlyExpr(par) !== undefined) return values[0]!;
  const all = [Par.of({ ...par, exprs: [] }), ...values];
  return Par.of({
    sends: all.flatMap(({ sends }) => sends),
    receives: all.flatMap(({ receives }) => receives),
    news: all.flatMap(({ news }) => news),
    exprs: values.flatMap((value) => value.exprs),
    matches: all.flatMap(({ matches }) => matches),
    unforgeables: all.flatMap(({ unforgeables }) => unforgeables),
    bundles: all.flatMap(({ bundles }) => bundles),
    connectives: all.flatMap(({ connectives }) => connectives),
    conditionals: all.flatMap(({ conditionals }) => conditionals),
    connectiveUsed: all.some(({ connectiveUsed }) => connectiveUsed),
  });
}

function valueOfExpr(expr: Expr, env: Environment): Par {
  switch (expr.kind) {
    case "EVar": {
      const value = expr.v.kind === "BoundVar" ? env.get(expr.v.index) : undefined;
      if (value === undefined) throw noValue();
      return evaluated(value, env);
    }
    case "EUnary": {
      const value = single(expr.p, env);
      if (expr.operator === "ENot" && value.kind === "GBool") return parOf(new GBool(!value.value));
      if (expr.operator === "ENeg" && value.kind === "GInt") return integer(-value.value);
      throw noValue();
    }
    case "EBinary":
      return operation(expr.operator, expr.p1, expr.p2, env);
    case "EMethod":
    case "EMatches":
    case "EPathMap":
    case "EZipper":
    case "EmptyExpr":
      throw noValue();
    default:
      return parOf(expr);
  }
}

function operation(operator: BinaryOperator, left: Par, right: Par, env: Environment): Par {
  if (operator === "EEq" || operator === "ENeq") {
    const isEqual = equalTerms(evaluated(left, env), evaluated(right, env));
    return parOf(new GBool(isEqual === (operator === "EEq")));
  }
  if (operator === "EPercentPercent" || operator === "EPlusPlus" || operator === "EMinusMinus") throw noValue();
  const one = single(left, env);
  const other = single(right, env);
  if (operator === "EAnd" || operator === "EOr") {
    if (one.kind !== "GBool" || other.kind !== "GBool") throw noValue();
    return parOf(new GBool(operator === "EAnd" ? one.value && other.value : one.value || other.value));
  }
  return compared(operator, one, other) ?? calculated(operator, one, other);
}

const comparisons: Readonly<Partial<Record<BinaryOperator, (order: number) => boolean>>> = {
  ELt: (order) => order < 0,
  ELte: (order) => order <= 0,
  EGt: (order) => order > 0,
  EGte: (order) => order >= 0,
};

function compared(operator: BinaryOperator, one: Expr, other: Expr): Par | undefined {
  const holds = comparisons[operator];
  return holds === undefined ? undefined : parOf(new GBool(holds(orderOf(one, other))));
}

function orderOf(one: Expr, other: Expr): number {
  if (one.kind === "GInt" && other.kind === "GInt")
    return one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
  if (one.kind === "GString" && other.kind === "GString") return compareUtf8(one.value, other.value);
  if (one.kind === "GBool" && other.kind === "GBool") return Number(one.value) - Number(other.value);
  throw noValue();
}

const calculations: Readonly<Partial<Record<BinaryOperator, (one: bigint, other: bigint) => bigint>>> = {
  EPlus: (one, other) => one + other,
  EMinus: (one, other) => one - other,
  EMult: (one, other) => one * other,
  EDiv: (one, other) => one / other,
  EMod: (one, other) => one % other,
};

const least = -(1n << 63n);

function calculated(operator: BinaryOperator, one: Expr, other: Expr): Par {
  if (one.kind !== "GInt" || other.kind !== "GInt") throw noValue();
  const divides = operator === "EDiv" || operator === "EMod";
  if (divides && (other.value === 0n || (other.value === -1n && one.value === least))) throw noValue();
  return integer(calculations[operator]!(one.value, other.value));
}

function integer(value: bigint): Par {
  if (BigInt.asIntN(64, value) !== value) throw noValue();
  return parOf(new GInt(value));
}

function single(par: Par, env: Environment): Expr {
  const expr = onlyExpr(evaluated(par, env));
  if (expr === undefined) throw noValue();
  return expr;
}

function noValue(): GuardError {
  return new GuardError({ code: "noValue" });
}
