import {
  add,
  contains,
  deletion,
  diff,
  get,
  getOrElse,
  keys,
  nth,
  set,
  size,
  toList,
  toMap,
  toSet,
  union,
} from "./collectionMethods.js";
import type { Method } from "./Method.js";
import { bytesToHex, hexToBytes, length, slice, take, toByteArray, toText, toUtf8Bytes } from "./textMethods.js";

/** Every method by its name. @spec 21 §6.3 */
export const methodTable: ReadonlyMap<string, Method> = new Map<string, Method>([
  ["nth", nth],
  ["toByteArray", toByteArray],
  ["hexToBytes", hexToBytes],
  ["bytesToHex", bytesToHex],
  ["toUtf8Bytes", toUtf8Bytes],
  ["union", union],
  ["diff", diff],
  ["add", add],
  ["delete", deletion],
  ["contains", contains],
  ["get", get],
  ["getOrElse", getOrElse],
  ["set", set],
  ["keys", keys],
  ["size", size],
  ["length", length],
  ["slice", slice],
  ["take", take],
  ["toList", toList],
  ["toSet", toSet],
  ["toMap", toMap],
  ["toString", toText],
]);

/** Every method's name, with the number of its arguments. @spec 21 §6.3 */
export const methods: ReadonlyMap<string, number> = new Map([...methodTable].map(([name, { arity }]) => [name, arity]));
