import { GByteArray, parOfExpr } from "@vedette/terms";
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
