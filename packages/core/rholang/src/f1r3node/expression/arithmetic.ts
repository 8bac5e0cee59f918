import { type Expr, type GBigInt, type GBigRational, GDouble, type GFixedPoint, GInt, type Par } from "@vedette/terms";
import { multiplicationCost, opCallCost, sumCost } from "../../evaluate/expression/expressionCosts.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import {
  bigNegationCost,
  bigProductCost,
  bigSumCost,
  rationalProductCost,
  rationalQuotientCost,
  rationalSumCost,
} from "./bigCosts.js";
import { bigInt, bigOf, double, doubleOf, fixedPoint, rational } from "./numbers.js";
import type { F1r3nodeOperator, OperandEvaluator } from "./OperandEvaluator.js";
import { expected, mismatch, notDefined } from "./operatorError.js";
import { f1r3nodeTypeName } from "./typeName.js";

/** The operation of one operator on two numbers of each type; each charges first. @spec 61 §6.4, 22 §9 */
interface NumberRules {
  readonly operator: string;
  int(one: bigint, other: bigint): bigint;
  double(one: number, other: number): number;
  readonly costOfInt: number;
  readonly costOfBig: (one: Uint8Array, other: Uint8Array) => number;
  big(one: bigint, other: bigint): bigint;
  rational(evaluator: OperandEvaluator, one: GBigRational, other: GBigRational): Expr;
  fixed(one: bigint, other: bigint, scale: number): bigint;
}

/** Applies the rules to two numbers of one type; `undefined` for other operands. */
function onNumbers(rules: NumberRules, evaluator: OperandEvaluator, one: Expr, other: Expr): Expr | undefined {
  const { phlo } = evaluator;
  if (one.kind === "GInt" && other.kind === "GInt") {
    phlo.charge(rules.costOfInt);
    return new GInt(rules.int(one.value, other.value));
  }
  if (one.kind === "GDouble" && other.kind === "GDouble") {
    // Quirk 61 §6.4: the remainder of doubles is refused before anything is charged.
    if (rules.operator === "%") throw f1r3nodeReduceError("Modulus not defined on floating point");
    phlo.charge(rules.costOfInt);
    return double(rules.double(doubleOf(one.bits), doubleOf(other.bits)));
  }
  if (one.kind === "GBigInt" && other.kind === "GBigInt") return onBig(rules, evaluator, one, other);
  if (one.kind === "GBigRational" && other.kind === "GBigRational") return rules.rational(evaluator, one, other);
  if (one.kind === "GFixedPoint" && other.kind === "GFixedPoint") return onFixed(rules, evaluator, one, other);
  return undefined;
}

function onBig(rules: NumberRules, { phlo }: OperandEvaluator, one: GBigInt, other: GBigInt): Expr {
  phlo.charge(rules.costOfBig(one.value, other.value));
  return bigInt(rules.big(bigOf(one.value), bigOf(other.value)));
}

function onFixed(rules: NumberRules, { phlo }: OperandEvaluator, one: GFixedPoint, other: GFixedPoint): Expr {
  if (one.scale !== other.scale)
    throw expected(rules.operator, `FixedPoint(p${one.scale})`, `FixedPoint(p${other.scale})`);
  phlo.charge(rules.costOfBig(one.unscaled, other.unscaled));
  return fixedPoint(rules.fixed(bigOf(one.unscaled), bigOf(other.unscaled), one.scale), one.scale);
}

/** A quotient as two numbers. */
type Parts = readonly [bigint, bigint];

/** Charges, and works with the numbers in lowest terms. */
function onRational(
  cost: (one: GBigRational, other: GBigRational) => number,
  compute: (one: Parts, other: Parts) => Expr,
): NumberRules["rational"] {
  return (evaluator, one, other) => {
    evaluator.phlo.charge(cost(one, other));
    return compute([bigOf(one.numerator), bigOf(one.denominator)], [bigOf(other.numerator), bigOf(other.denominator)]);
  };
}

const addition: NumberRules = {
  operator: "+",
  int: (one, other) => BigInt.asIntN(64, one + other),
  double: (one, other) => one + other,
  costOfInt: sumCost,
  costOfBig: bigSumCost,
  big: (one, other) => one + other,
  rational: onRational(rationalSumCost, ([a, b], [c, d]) => rational(a * d + c * b, b * d)),
  fixed: (one, other) => one + other,
};

const subtraction: NumberRules = {
  operator: "-",
  int: (one, other) => BigInt.asIntN(64, one - other),
  double: (one, other) => one - other,
  costOfInt: sumCost,
  costOfBig: bigSumCost,
  big: (one, other) => one - other,
  rational: onRational(rationalSumCost, ([a, b], [c, d]) => rational(a * d - c * b, b * d)),
  fixed: (one, other) => one - other,
};

const multiplication: NumberRules = {
  operator: "*",
  int: (one, other) => checked(one * other, `multiplication: ${one} * ${other}`),
  double: (one, other) => one * other,
  costOfInt: multiplicationCost,
  costOfBig: bigProductCost,
  big: (one, other) => one * other,
  rational: onRational(rationalProductCost, ([a, b], [c, d]) => rational(a * c, b * d)),
  fixed: (one, other, scale) => floorDivided(one * other, 10n ** BigInt(scale)),
};

const division: NumberRules = {
  operator: "/",
  int: (one, other) => checked(one / notZero(other, "Division"), "division"),
  double: (one, other) => one / other,
  costOfInt: multiplicationCost,
  costOfBig: bigProductCost,
  big: (one, other) => one / notZero(other, "Division"),
  rational: onRational(rationalQuotientCost, ([a, b], [c, d]) => rational(a * d, b * notZero(c, "Division"))),
  fixed: (one, other, scale) => (one * 10n ** BigInt(scale)) / notZero(other, "Division"),
};

const remainder: NumberRules = {
  operator: "%",
  int(one, other) {
    const result = one % notZero(other, "Modulo");
    if (other === -1n && one === least) throw f1r3nodeReduceError("Arithmetic overflow in modulo");
    return result;
  },
  double: (one, other) => one % other,
  costOfInt: multiplicationCost,
  costOfBig: bigProductCost,
  big: (one, other) => one % notZero(other, "Modulo"),
  // Quirk 61 §6.4: free of charge.
  rational(_evaluator, _one, other) {
    notZero(bigOf(other.numerator), "Modulo");
    return rational(0n, 1n);
  },
  fixed: (one, other) => one % notZero(other, "Modulo"),
};

const least = -(1n << 63n);

function checked(value: bigint, what: string): bigint {
  if (BigInt.asIntN(64, value) !== value) throw f1r3nodeReduceError(`Arithmetic overflow in ${what}`);
  return value;
}

function notZero(value: bigint, what: "Division" | "Modulo"): bigint {
  if (value === 0n) throw f1r3nodeReduceError(`${what} by zero`);
  return value;
}

function floorDivided(value: bigint, divisor: bigint): bigint {
  const quotient = value / divisor;
  return value < 0n && quotient * divisor !== value ? quotient - 1n : quotient;
}

function scaling(rules: NumberRules): F1r3nodeOperator {
  return (evaluator, left, right) => {
    const one = evaluator.single(left);
    const other = evaluator.single(right);
    const result = onNumbers(rules, evaluator, one, other);
    if (result === undefined) throw mismatch(rules.operator, one, other);
    return result;
  };
}

/** `x * y`. @spec 61 §6.4 */
export const multiply = scaling(multiplication);
/** `x / y`. @spec 61 §6.4 */
export const divide = scaling(division);
/** `x % y`. @spec 61 §6.4 */
export const modulo = scaling(remainder);

/** `x + y`: a sum, or a set with one element more. @spec 61 §6.4 */
export function plus(evaluator: OperandEvaluator, left: Par, right: Par): Expr {
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "ESet") return onCollection(evaluator, "add", one, other);
  return onNumbers(addition, evaluator, one, other) ?? refuse("+", one, other);
}

/** `x - y`: a difference, or a collection with one element less. @spec 61 §6.4 */
export function minus(evaluator: OperandEvaluator, left: Par, right: Par): Expr {
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "EMap" || one.kind === "ESet") return onCollection(evaluator, "delete", one, other);
  return onNumbers(subtraction, evaluator, one, other) ?? refuse("-", one, other);
}

function onCollection(evaluator: OperandEvaluator, method: string, collection: Expr, element: Expr): Expr {
  evaluator.phlo.charge(opCallCost);
  return evaluator.callMethod(method, collection, element);
}

const numberKinds: ReadonlySet<Expr["kind"]> = new Set(["GInt", "GDouble", "GBigInt", "GBigRational", "GFixedPoint"]);

function refuse(operator: string, one: Expr, other: Expr): never {
  if (numberKinds.has(one.kind)) throw expected(operator, "matching numeric types", f1r3nodeTypeName(other));
  throw notDefined(operator, one);
}

/** `-x`; of integers and doubles it is free. @spec 61 §6.4, 22 §9 */
export function negate(evaluator: OperandEvaluator, operand: Par): Expr {
  const value = evaluator.single(operand);
  const { phlo } = evaluator;
  switch (value.kind) {
    case "GInt":
      return new GInt(checked(-value.value, "negation"));
    case "GDouble":
      return new GDouble(value.bits ^ (1n << 63n));
    case "GBigInt":
      phlo.charge(bigNegationCost(value.value));
      return bigInt(-bigOf(value.value));
    case "GBigRational": {
      phlo.charge(bigNegationCost(value.numerator));
      const { value: numerator } = bigInt(-bigOf(value.numerator));
      return { kind: "GBigRational", numerator, denominator: value.denominator };
    }
    case "GFixedPoint":
      phlo.charge(bigNegationCost(value.unscaled));
      return fixedPoint(-bigOf(value.unscaled), value.scale);
    default:
      throw notDefined("neg", value);
  }
}
