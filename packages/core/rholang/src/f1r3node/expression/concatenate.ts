import {
  checkPartCount,
  checkTermSize,
  checkTextLength,
  EList,
  type EMap,
  type Expr,
  GByteArray,
  GString,
  uniteIndices,
} from "@vedette/terms";
import { parsingCost as utf8Length } from "../../cost/costs.js";
import { opCallCost } from "../../evaluate/expression/expressionCosts.js";
import { filledIn, type Replacement } from "../../evaluate/expression/interpolate.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import type { F1r3nodeOperator, OperandEvaluator } from "./OperandEvaluator.js";
import { expected, notDefined } from "./operatorError.js";
import { f1r3nodeTypeName } from "./typeName.js";

/** `x ++ y` of strings, byte arrays, lists, maps and sets. @spec 61 §6.4, 22 §9 */
export const concatenate: F1r3nodeOperator = (evaluator, left, right) => {
  const { phlo } = evaluator;
  phlo.charge(opCallCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind === "GString" && other.kind === "GString") {
    phlo.charge(utf8Length(one.value) + utf8Length(other.value));
    checkTextLength(one.value.length + other.value.length);
    return new GString(one.value + other.value);
  }
  if (one.kind === "GByteArray" && other.kind === "GByteArray") {
    phlo.charge(appendCost(one.value.length));
    return new GByteArray(joinedBytes(one.value, other.value));
  }
  if (one.kind === "EList" && other.kind === "EList") {
    phlo.charge(one.ps.length);
    checkPartCount(one.ps.length + other.ps.length);
    const free = uniteIndices(one.locallyFree, other.locallyFree);
    return new EList(one.ps.concat(other.ps), free, one.connectiveUsed || other.connectiveUsed, undefined);
  }
  if ((one.kind === "EMap" && other.kind === "EMap") || (one.kind === "ESet" && other.kind === "ESet"))
    return evaluator.callMethod("union", one, other);
  throw refused(one, other);
};

function refused(one: Expr, other: Expr): Error {
  switch (one.kind) {
    case "GString":
      return expected("++", "String", f1r3nodeTypeName(other));
    case "EList":
      return expected("++", "List", f1r3nodeTypeName(other));
    case "EMap":
      return expected("++", "Map", f1r3nodeTypeName(other));
    case "ESet":
      return expected("++", "Set", f1r3nodeTypeName(other));
    default:
      return notDefined("++", one);
  }
}

/** Quirk 22 §9: the natural logarithms are divided, so that 1000 bytes cost as many as 999. */
function appendCost(length: number): number {
  return length === 0 ? 0 : Math.trunc(Math.log(length) / Math.log(10));
}

function joinedBytes(one: Uint8Array, other: Uint8Array): Uint8Array {
  checkTermSize(one.length + other.length);
  const bytes = new Uint8Array(one.length + other.length);
  bytes.set(one);
  bytes.set(other, one.length);
  return bytes;
}

/** `x -- y` of sets. @spec 21 §5.3 */
export const difference: F1r3nodeOperator = (evaluator, left, right) => {
  evaluator.phlo.charge(opCallCost);
  const one = evaluator.single(left);
  const other = evaluator.single(right);
  if (one.kind !== "ESet") throw notDefined("--", one);
  if (other.kind !== "ESet") throw expected("--", "Set", f1r3nodeTypeName(other));
  return evaluator.callMethod("diff", one, other);
};

/** `text %% map`. @spec 21 §5.4, 22 §9 */
export const interpolate: F1r3nodeOperator = (evaluator, left, right) => {
  const { phlo } = evaluator;
  phlo.charge(opCallCost);
  const template = evaluator.single(left);
  const map = evaluator.single(right);
  if (template.kind !== "GString") throw notDefined("%%", template);
  if (map.kind !== "EMap") throw expected("%%", "Map", f1r3nodeTypeName(map));
  if (template.value.length === 0 && map.kvs.length === 0) return template;
  const list = replacements(evaluator, map);
  phlo.charge(utf8Length(template.value) * map.kvs.length);
  return new GString(filledIn(template.value, list));
};

function replacements(evaluator: OperandEvaluator, map: EMap): Replacement[] {
  return map.kvs.map((entry) => {
    const key = evaluator.single(entry.key);
    const value = evaluator.single(entry.value);
    if (key.kind !== "GString") throw f1r3nodeReduceError("Error: interpolation Map should only contain String keys");
    return { placeholder: `\${${key.value}}`, text: valueText(value) };
  });
}

function valueText(value: Expr): string {
  switch (value.kind) {
    case "GString":
    case "GUri":
      return value.value;
    case "GInt":
    case "GBool":
      return String(value.value);
    default:
      throw f1r3nodeReduceError(`Error: interpolation doesn't support "${f1r3nodeTypeName(value)}"`);
  }
}
