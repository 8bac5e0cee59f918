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
import type { F1r3nodeMethod } from "./F1r3nodeMethod.js";
import { dropHead, intersection, restriction, run } from "./pathMapMethods.js";
import { bytesToHex, hexToBytes, length, slice, take, toByteArray, toText, toUtf8Bytes } from "./textMethods.js";
import { zipperMethods } from "./zipperMethods.js";

/** Every method by its name. @spec 21 §6.3, 61 §6.4 */
export const f1r3nodeMethods: ReadonlyMap<string, F1r3nodeMethod> = new Map([
  ["nth", nth],
  ["toByteArray", toByteArray],
  ["hexToBytes", hexToBytes],
  ["bytesToHex", bytesToHex],
  ["toUtf8Bytes", toUtf8Bytes],
  ["union", union],
  ["diff", diff],
  ["intersection", intersection],
  ["restriction", restriction],
  ["dropHead", dropHead],
  ["run", run],
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
  ...zipperMethods,
]);

/** Every method's name on f1r3node networks, with the number of its arguments. @spec 21 §6.3, 61 §6.4 */
export const f1r3nodeMethodArities: ReadonlyMap<string, number> = new Map(
  [...f1r3nodeMethods].map(([name, { arity }]) => [name, arity]),
);
