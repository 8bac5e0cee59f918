import { toHex } from "@vedette/crypto";
import { EList, type Expr, f1r3nodeTerms, GByteArray, GInt, GString, type Par } from "@vedette/terms";
import { lengthCost } from "../../evaluate/expression/expressionCosts.js";
import { unforgeableTypeName } from "../../evaluate/expression/typeName.js";
import { singleExpr } from "../../evaluate/method/Method.js";
import { lenientBytes, singleUnforgeable } from "../../evaluate/method/textMethods.js";
import { InterpreterError } from "../../InterpreterError.js";
import { chargeLong } from "../cost/chargeLong.js";
import { f1r3nodeReduceError } from "../f1r3nodeError.js";
import { parOf } from "../parOf.js";
import { substituteAndCharge } from "../substitute/f1r3nodeSubstitute.js";
import { methodNotDefined, withArity } from "./F1r3nodeMethod.js";
import { byteLength, sliceOfBytes } from "./textBytes.js";

const encoder = new TextEncoder();

/** The only expression of a target that is not evaluated again. */
function requireSingular(target: Par): Expr {
  const base = singleExpr(target);
  if (base === undefined) throw f1r3nodeReduceError("Error: Method can only be called on singular expressions.");
  return base;
}

/** `hexToBytes()` of a string. @spec 21 §6.3 */
export const hexToBytes = withArity("hexToBytes", 0, (evaluator, target) => {
  const base = requireSingular(target);
  if (base.kind !== "GString") throw methodNotDefined("hexToBytes", base);
  evaluator.phlo.charge(encoder.encode(base.value).length);
  return parOf(new GByteArray(lenientBytes(base.value)));
});

/** `bytesToHex()` of a byte array, in lower case. @spec 21 §6.3 */
export const bytesToHex = withArity("bytesToHex", 0, (evaluator, target) => {
  const base = requireSingular(target);
  if (base.kind !== "GByteArray") throw methodNotDefined("BytesToHex", base);
  evaluator.phlo.charge(base.value.length);
  return parOf(new GString(toHex(base.value)));
});

/** `toUtf8Bytes()` of a string, at the cost of its bytes. @spec 21 §6.3, 22 §9 */
export const toUtf8Bytes = withArity("toUtf8Bytes", 0, (evaluator, target) => {
  const base = requireSingular(target);
  if (base.kind !== "GString") throw methodNotDefined("toUtf8Bytes", base);
  const bytes = encoder.encode(base.value);
  evaluator.phlo.charge(bytes.length);
  return parOf(new GByteArray(bytes));
});

/** `toByteArray()` of any process: its protobuf bytes. The size is charged twice. @spec 21 §6.3, 61 §5 */
export const toByteArray = withArity("toByteArray", 0, (evaluator, target) => {
  const { env, phlo } = evaluator;
  const sorted = substituteAndCharge(evaluator.par(target), 0, env, phlo);
  phlo.charge(f1r3nodeTerms.sizeOfPar(sorted));
  return parOf(new GByteArray(f1r3nodeTerms.encodePar(sorted)));
});

/** `length()` of a string (in bytes), a byte array or a list. @spec 61 §6.4 */
export const length = withArity("length", 0, (evaluator, target) => {
  const base = evaluator.single(target);
  evaluator.phlo.charge(lengthCost);
  return parOf(new GInt(BigInt(lengthOf(base))));
});

function lengthOf(base: Expr): number {
  switch (base.kind) {
    case "GString":
      return byteLength(base);
    case "GByteArray":
      return base.value.length;
    case "EList":
      return base.ps.length;
    default:
      throw methodNotDefined("length", base);
  }
}

/** `slice(from, until)` of a string (by bytes), a list or a byte array. @spec 61 §6.4 */
export const slice = withArity("slice", 2, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const from = evaluator.long(args[0]!);
  const until = evaluator.long(args[1]!);
  chargeLong(evaluator.phlo, until);
  switch (base.kind) {
    case "GString":
      return parOf(new GString(sliceOfBytes(base.value, ...rangeWithin(byteLength(base), from, until))));
    case "GByteArray": {
      const range = rangeWithin(base.value.length, from, until);
      return parOf(new GByteArray(base.value.slice(...range)));
    }
    case "EList": {
      const range = rangeWithin(base.ps.length, from, until);
      return parOf(new EList(base.ps.slice(...range), base.locallyFree, base.connectiveUsed, base.remainder));
    }
    default:
      throw methodNotDefined("slice", base);
  }
});

/** Below zero is zero; what is not in order or goes beyond the end is empty. */
function rangeWithin(size: number, from: bigint, until: bigint): [number, number] {
  const start = from > 0n ? from : 0n;
  const end = until > 0n ? until : 0n;
  return start <= end && end <= BigInt(size) ? [Number(start), Number(end)] : [0, 0];
}

/** `take(n)` of a list; a negative number takes all, and gives phlo back. @spec 61 §6.4, 22 §9 */
export const take = withArity("take", 1, (evaluator, target, args) => {
  const base = evaluator.single(target);
  const count = evaluator.long(args[0]!);
  chargeLong(evaluator.phlo, count);
  if (base.kind !== "EList") throw methodNotDefined("take", base);
  const all = count < 0n || count > BigInt(base.ps.length);
  const items = all ? base.ps : base.ps.slice(0, Number(count));
  return parOf(new EList(items, base.locallyFree, base.connectiveUsed, base.remainder));
});

/** `toString()` of a deploy id: its signature in hex. Quirk 61 §6.4: errors of its arguments name another method. */
export const toText = withArity("to_map", 0, (_evaluator, target) => {
  const name = singleUnforgeable(target, f1r3nodeReduceError);
  if (name.kind === "GDeployId") return parOf(new GString(toHex(name.signature)));
  throw new InterpreterError({ class: "MethodNotDefined", method: "to_string", otherType: unforgeableTypeName(name) });
});
