import type { BinaryOperator, Expr, Par } from "@vedette/terms";
import { divide, minus, modulo, multiply, plus } from "./arithmetic.js";
import { and, or } from "./boolean.js";
import { equals, greater, greaterOrEqual, less, lessOrEqual, notEquals } from "./comparison.js";
import { concatenate } from "./concatenate.js";
import { difference } from "./difference.js";
import type { Evaluator } from "./Evaluator.js";
import { interpolate } from "./interpolate.js";

/** An operator of two operands, which are not evaluated yet. */
export type Operator = (evaluator: Evaluator, left: Par, right: Par) => Expr;

/** The rule of each operator. @spec 21 §5.3 */
export const binary: Readonly<Record<BinaryOperator, Operator>> = {
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
