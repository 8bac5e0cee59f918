import { type BinaryOperator, compareUtf8, type Expr, GBool, GInt, type ListParWithRandom, Par } from "@vedette/terms";
import { Environment } from "../../evaluate/Environment.js";
import { onlyExpr } from "../evaluate/onlyBool.js";
import { equalTerms } from "../expression/comparison.js";
import { parOf } from "../parOf.js";

/**
 * Whether a guard is `true` with these values. Whatever else it gives, or fails with, is "no"; it costs nothing.
 *
 * PERF: no phlo bounds how often a guard is evaluated, so "no value" is no error that is thrown, but `undefined`.
 *
 * @spec 61 §6.3
 */
export function guardIsTrue(guard: Par, env: Environment): boolean {
  const value = single(guard, env);
  return value?.kind === "GBool" && value.value;
}

/** The same for the guard of a receive, which sees the values of its binds alone. @spec 61 §3, §6.3 */
export function receiveGuardHolds(guard: Par, matched: readonly ListParWithRandom[]): boolean {
  const values = matched.length === 1 ? matched[0]!.pars.slice() : matched.flatMap(({ pars }) => pars);
  return guardIsTrue(guard, Environment.of(values));
}

/** The Par with its expressions evaluated; processes in it stay. @returns `undefined` where one has no value */
function evaluated(par: Par, env: Environment): Par | undefined {
  const { exprs } = par;
  if (exprs.length === 0) return par;
  const only = onlyExpr(par);
  if (only?.kind === "EVar") return valueOfVariable(only, env);
  if (only !== undefined) {
    const value = valueOfExpr(only, env);
    return value === only ? par : value && parOf(value);
  }
  const values: Par[] = [];
  for (const expr of exprs) {
    const value = evaluated(parOf(expr), env);
    if (value === undefined) return undefined;
    values.push(value);
  }
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

function valueOfVariable({ v }: Extract<Expr, { kind: "EVar" }>, env: Environment): Par | undefined {
  const value = v.kind === "BoundVar" ? env.get(v.index) : undefined;
  return value && evaluated(value, env);
}

/** The value that a Par comes to, if that is one expression and nothing else. */
function single(par: Par, env: Environment): Expr | undefined {
  const only = onlyExpr(par);
  if (only !== undefined && only.kind !== "EVar") return valueOfExpr(only, env);
  const value = only === undefined ? evaluated(par, env) : valueOfVariable(only, env);
  return value && onlyExpr(value);
}

function valueOfExpr(expr: Exclude<Expr, { kind: "EVar" }>, env: Environment): Expr | undefined {
  switch (expr.kind) {
    case "EUnary": {
      const value = single(expr.p, env);
      if (expr.operator === "ENot") return value?.kind === "GBool" ? truth(!value.value) : undefined;
      return value?.kind === "GInt" ? integer(-value.value) : undefined;
    }
    case "EBinary":
      return operation(expr.operator, expr.p1, expr.p2, env);
    case "EMethod":
    case "EMatches":
    case "EPathMap":
    case "EZipper":
    case "EmptyExpr":
      return undefined;
    default:
      return expr;
  }
}

function operation(operator: BinaryOperator, left: Par, right: Par, env: Environment): Expr | undefined {
  if (operator === "EEq" || operator === "ENeq") {
    const one = evaluated(left, env);
    const other = one && evaluated(right, env);
    return one && other && truth(equalTerms(one, other) === (operator === "EEq"));
  }
  const one = single(left, env);
  const other = one && single(right, env);
  return (
    one && other && (joined(operator, one, other) ?? compared(operator, one, other) ?? calculated(operator, one, other))
  );
}

function joined(operator: BinaryOperator, one: Expr, other: Expr): GBool | undefined {
  if (one.kind !== "GBool" || other.kind !== "GBool") return undefined;
  if (operator === "EAnd") return truth(one.value && other.value);
  return operator === "EOr" ? truth(one.value || other.value) : undefined;
}

function compared(operator: BinaryOperator, one: Expr, other: Expr): GBool | undefined {
  const holds = comparisons[operator];
  const order = holds && orderOf(one, other);
  return order === undefined ? undefined : truth(holds!(order));
}

const comparisons: Readonly<Partial<Record<BinaryOperator, (order: number) => boolean>>> = {
  ELt: (order) => order < 0,
  ELte: (order) => order <= 0,
  EGt: (order) => order > 0,
  EGte: (order) => order >= 0,
};

function orderOf(one: Expr, other: Expr): number | undefined {
  if (one.kind === "GInt" && other.kind === "GInt")
    return one.value < other.value ? -1 : one.value > other.value ? 1 : 0;
  if (one.kind === "GString" && other.kind === "GString") return compareUtf8(one.value, other.value);
  if (one.kind === "GBool" && other.kind === "GBool") return Number(one.value) - Number(other.value);
  return undefined;
}

const calculations: Readonly<Partial<Record<BinaryOperator, (one: bigint, other: bigint) => bigint>>> = {
  EPlus: (one, other) => one + other,
  EMinus: (one, other) => one - other,
  EMult: (one, other) => one * other,
  EDiv: (one, other) => one / other,
  EMod: (one, other) => one % other,
};

const least = -(1n << 63n);

function calculated(operator: BinaryOperator, one: Expr, other: Expr): GInt | undefined {
  const calculate = calculations[operator];
  if (calculate === undefined || one.kind !== "GInt" || other.kind !== "GInt") return undefined;
  const divides = operator === "EDiv" || operator === "EMod";
  if (divides && (other.value === 0n || (other.value === -1n && one.value === least))) return undefined;
  return integer(calculate(one.value, other.value));
}

function integer(value: bigint): GInt | undefined {
  return BigInt.asIntN(64, value) === value ? new GInt(value) : undefined;
}

const yes = new GBool(true);
const no = new GBool(false);

function truth(value: boolean): GBool {
  return value ? yes : no;
}
