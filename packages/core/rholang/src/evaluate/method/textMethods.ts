import { toHex } from "@vedette/crypto";
import {
  EList,
  type Expr,
  encodePar,
  GByteArray,
  GInt,
  GString,
  type Par,
  parOfExpr,
  sizeOfPar,
  type Unforgeable,
} from "@vedette/terms";
import { InterpreterError, reduceError } from "../../InterpreterError.js";
import { lengthCost } from "../expression/expressionCosts.js";
import { unforgeableTypeName } from "../expression/typeName.js";
import { FatalError } from "../FatalError.js";
import { substituteAndCharge } from "../substitute/substitute.js";
import { type Method, methodNotDefined, requireSingular } from "./Method.js";

/**
 * `hexToBytes()` of a string.
 *
 * Quirk 21 §6.3: what is no hex digit is passed over, and an odd digit gets a zero before it.
 *
 * @spec 21 §6.3
 */
export const hexToBytes: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = requireSingular(target);
    if (base.kind !== "GString") throw methodNotDefined("hexToBytes", base);
    evaluator.phlo.charge(base.value.length);
    return parOfExpr(new GByteArray(lenientBytes(base.value)));
  },
};

/** Characters other than hex digits are skipped, and an odd digit gets a zero before it. */
export function lenientBytes(text: string): Uint8Array {
  const digits: number[] = [];
  for (let i = 0; i < text.length; i += 1) {
    const digit = digitOf(text.charCodeAt(i));
    if (digit !== undefined) digits.push(digit);
  }
  const bytes = new Uint8Array((digits.length + 1) >>> 1);
  const start = digits.length & 1;
  for (let i = 0; i < digits.length; i += 1) {
    const nibble = i + start;
    bytes[nibble >>> 1] = bytes[nibble >>> 1]! | (digits[i]! << ((nibble & 1) === 0 ? 4 : 0));
  }
  return bytes;
}

function digitOf(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const letter = unit | 0x20;
  return letter >= 0x61 && letter <= 0x66 && unit < 0x80 ? letter - 0x57 : undefined;
}

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

/** `toByteArray()` of any process: its protobuf bytes. The size is charged twice. @spec 21 §6.3, 22 §4.5.1 */
export const toByteArray: Method = {
  arity: 0,
  run(evaluator, target) {
    const { env, phlo } = evaluator;
    const sorted = substituteAndCharge(evaluator.par(target), 0, env, phlo);
    phlo.charge(sizeOfPar(sorted));
    return parOfExpr(new GByteArray(encodePar(sorted)));
  },
};

/** `length()` of a string (in UTF-16 units), a byte array or a list. @spec 21 §6.3 */
export const length: Method = {
  arity: 0,
  run(evaluator, target) {
    const base = evaluator.single(target);
    evaluator.phlo.charge(lengthCost);
    return parOfExpr(new GInt(BigInt(lengthOf(base))));
  },
};

function lengthOf(base: Expr): number {
  switch (base.kind) {
    case "GString":
    case "GByteArray":
      return base.value.length;
    case "EList":
      return base.ps.length;
    default:
      throw methodNotDefined("length", base);
  }
}

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

/**
 * `take(n)` of a list.
 *
 * Quirk 22 §4.3: the charge is `n` as it is, so that a negative one gives phlo back.
 *
 * @spec 21 §6.3
 */
export const take: Method = {
  arity: 1,
  run(evaluator, target, args) {
    const base = evaluator.single(target);
    const count = evaluator.int(args[0]!);
    evaluator.phlo.charge(count);
    if (base.kind !== "EList") throw methodNotDefined("take", base);
    const items = base.ps.slice(0, Math.max(count, 0));
    return parOfExpr(new EList(items, base.locallyFree, base.connectiveUsed, base.remainder));
  },
};

/** `toString()` of a deploy id: its signature in hex. @spec 21 §6.3 */
export const toText: Method = {
  arity: 0,
  run(_evaluator, target) {
    const name = singleUnforgeable(target, reduceError);
    if (name.kind === "GDeployId") return parOfExpr(new GString(toHex(name.signature)));
    throw new InterpreterError({
      class: "MethodNotDefined",
      method: "toString",
      otherType: unforgeableTypeName(name),
    });
  },
};

/** @spec 21 §5.1 (evalToSingleUnforgeable) */
export function singleUnforgeable(par: Par, failed: (message: string) => InterpreterError): Unforgeable {
  const others =
    par.sends.length +
    par.receives.length +
    par.news.length +
    par.exprs.length +
    par.matches.length +
    par.bundles.length;
  if (others > 0) throw failed("Error: non unforgeable found where unforgeable expected.");
  if (par.unforgeables.length !== 1) throw failed("Error: Multiple unforgeables given.");
  return par.unforgeables[0]!;
}
