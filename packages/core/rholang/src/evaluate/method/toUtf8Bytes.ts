import { GByteArray, parOfExpr } from "@vedette/terms";
import { type Method, methodNotDefined, requireSingular } from "./Method.js";

const encoder = new TextEncoder();
const halfPairs = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * `toUtf8Bytes()` of a string. Its length in UTF-16 units is charged, not that of the bytes.
 *
 * Quirk 21 §6.3: half a surrogate pair becomes a question mark.
 *
 * @spec 21 §6.3
 */
export const toUtf8Bytes: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = requireSingular(target);
    if (base.kind !== "GString") throw methodNotDefined("toUtf8Bytes", base);
    evaluator.phlo.charge(base.value.length);
    return parOfExpr(new GByteArray(encoder.encode(base.value.replace(halfPairs, "?"))));
  },
};
