import { checkTextLength, type EMap, type Expr, GString, type Par } from "@vedette/terms";
import { reduceError } from "../../InterpreterError.js";
import type { Evaluator } from "./Evaluator.js";
import { interpolateCost, opCallCost } from "./expressionCosts.js";
import { operatorExpected, operatorNotDefined } from "./operatorError.js";
import { typeName } from "./typeName.js";

/** `%%`. @spec 21 §5.3, §5.4 */
export function interpolate(evaluator: Evaluator, left: Par, right: Par): Expr {
  evaluator.phlo.charge(opCallCost);
  const template = evaluator.single(left);
  const map = evaluator.single(right);
  if (template.kind !== "GString") throw operatorNotDefined("%%", template);
  if (map.kind !== "EMap") throw operatorExpected("%%", "Map", map);
  if (template.value.length === 0 && map.kvs.length === 0) return template;
  const text = filledIn(template.value, replacements(evaluator, map));
  evaluator.phlo.charge(interpolateCost(template.value.length, map.kvs.length));
  return new GString(text);
}

/** The value of a placeholder. */
export interface Replacement {
  readonly placeholder: string;
  readonly text: string;
}

function replacements(evaluator: Evaluator, map: EMap): Replacement[] {
  const list: Replacement[] = [];
  for (const entry of map.kvs) {
    const key = evaluator.single(entry.key);
    const value = evaluator.single(entry.value);
    if (key.kind !== "GString") throw reduceError("Error: interpolation Map should only contain String keys");
    list.push({ placeholder: `\${${key.value}}`, text: valueText(value) });
  }
  return list;
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
      throw reduceError(`Error: interpolation doesn't support ${typeName(value)}`);
  }
}

/** Replaces from the left; what was put in is not looked at again. @cost template length × pairs, as charged */
export function filledIn(template: string, list: readonly Replacement[]): string {
  let result = "";
  let copied = 0;
  let position = template.indexOf("${");
  while (position !== -1) {
    const found = list.find(({ placeholder }) => template.startsWith(placeholder, position));
    if (found === undefined) {
      position = template.indexOf("${", position + 1);
      continue;
    }
    result += template.slice(copied, position) + found.text;
    checkTextLength(result.length);
    copied = position + found.placeholder.length;
    position = template.indexOf("${", copied);
  }
  return result + template.slice(copied);
}
