import { add } from "./add.js";
import { bytesToHex } from "./bytesToHex.js";
import { contains } from "./contains.js";
import { deletion } from "./delete.js";
import { diff } from "./diff.js";
import { get } from "./get.js";
import { getOrElse } from "./getOrElse.js";
import { hexToBytes } from "./hexToBytes.js";
import { keys } from "./keys.js";
import { length } from "./length.js";
import type { Method } from "./Method.js";
import { nth } from "./nth.js";
import { set } from "./set.js";
import { size } from "./size.js";
import { slice } from "./slice.js";
import { take } from "./take.js";
import { toByteArray } from "./toByteArray.js";
import { toList } from "./toList.js";
import { toMap } from "./toMap.js";
import { toSet } from "./toSet.js";
import { toText } from "./toString.js";
import { toUtf8Bytes } from "./toUtf8Bytes.js";
import { union } from "./union.js";

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
