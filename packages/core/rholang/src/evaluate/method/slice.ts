import { EList, type Expr, GByteArray, GString, parOfExpr } from "@vedette/terms";
import { FatalError } from "../FatalError.js";
import { type Method, methodNotDefined } from "./Method.js";

/**
 * `slice(from, until)` of a string, a list or a byte array.
 *
 * Quirk 22 §4.3: the charge is `until` as it is, so that a negative one gives phlo back.
 *
 * @spec 21 §6.3
 */
export const slice: Method = {
  arity: 2,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const from = evaluator.int(args[0]!);
    const until = evaluator.int(args[1]!);
    evaluator.phlo.charge(until);
    return parOfExpr(sliced(base, from, until));
  },
};

function sliced(base: Expr, from: number, until: number): Expr {
  const start = Math.max(from, 0);
  const end = Math.max(until, start);
  switch (base.kind) {
    case "GString":
      return new GString(base.value.slice(start, end));
    case "EList":
      return new EList(base.ps.slice(start, end), base.locallyFree, base.connectiveUsed, base.remainder);
    case "GByteArray":
      return new GByteArray(exactBytes(base.value, from, until));
    default:
      throw methodNotDefined("slice", base);
  }
}

/** Quirk 21 §6.3: byte arrays are not clamped; a bound outside is no error of the program but fatal. @spec 21 §9.3 */
function exactBytes(bytes: Uint8Array, from: number, until: number): Uint8Array {
  if (from < 0) throw outOfBounds(`Beginning index: ${from} < 0`);
  if (until < from) throw outOfBounds(`Beginning index larger than ending index: ${from}, ${until}`);
  if (until > bytes.length) throw outOfBounds(`End index: ${until} >= ${bytes.length}`);
  return bytes.slice(from, until);
}

function outOfBounds(message: string): FatalError {
  return new FatalError({ code: "indexOutOfBounds", message });
}
