import { toHex } from "@vedette/crypto";
import { GString, parOfExpr } from "@vedette/terms";
import { type Method, methodNotDefined, requireSingular } from "./Method.js";

/** `bytesToHex()` of a byte array, in lower case. @spec 21 §6.3 */
export const bytesToHex: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = requireSingular(target);
    if (base.kind !== "GByteArray") throw methodNotDefined("bytesToHex", base);
    evaluator.phlo.charge(base.value.length);
    return parOfExpr(new GString(toHex(base.value)));
  },
};
