import type { BinaryOperator } from "@vedette/terms";
import { divide, minus, modulo, multiply, plus } from "./arithmetic.js";
import { and, equals, greater, greaterOrEqual, less, lessOrEqual, notEquals, or } from "./comparison.js";
import { concatenate, difference, interpolate } from "./concatenate.js";
import type { F1r3nodeOperator } from "./OperandEvaluator.js";

/** The rule of each operator. @spec 61 §6.4 */
export const binary: Readonly<Record<BinaryOperator, F1r3nodeOperator>> = {
  EMult: multiply,
  EDiv: divide,
  EMod: modulo,
  EPlus: plus,
  EMinus: minus,
  ELt: less,
  ELte: lessOrEqual,
  EGt: greater,
  EGte: greaterOrEqual,
  EEq: equals,
  ENeq: notEquals,
  EAnd: and,
  EOr: or,
  EPercentPercent: interpolate,
  EPlusPlus: concatenate,
  EMinusMinus: difference,
};
