import {
  additionCost,
  diffCost,
  keysCost,
  lengthCost,
  lookupCost,
  methodCallCost,
  nthCost,
  removalCost,
  unionCost,
} from "../expression/expressionCosts.js";

const fixed = (own: number) => `${methodCallCost + own} phlo`;
const by = (what: string) => `${methodCallCost} phlo and ${what}`;

/** The cost of a call of each method, without its target and its arguments, for people. @spec 22 §4.3, §4.5.1 */
export const methodCosts: ReadonlyMap<string, string> = new Map([
  ["nth", fixed(nthCost)],
  ["toByteArray", by("twice the size of the process in bytes")],
  ["hexToBytes", by("1 for each character")],
  ["bytesToHex", by("1 for each byte")],
  ["toUtf8Bytes", by("1 for each character")],
  ["union", by(`${unionCost(1)} for each element of the argument`)],
  ["diff", by(`${diffCost(1)} for each element of the argument`)],
  ["add", fixed(additionCost)],
  ["delete", fixed(removalCost)],
  ["contains", fixed(lookupCost)],
  ["get", fixed(lookupCost)],
  ["getOrElse", fixed(lookupCost)],
  ["set", fixed(additionCost)],
  ["keys", fixed(keysCost)],
  ["size", by("1 for each element")],
  ["length", fixed(lengthCost)],
  ["slice", by("1 for each of `until`")],
  ["take", by("1 for each of `count`")],
  ["toList", by("1 for each element, of a list none")],
  ["toSet", fixed(0)],
  ["toMap", fixed(0)],
  ["toString", fixed(0)],
]);
