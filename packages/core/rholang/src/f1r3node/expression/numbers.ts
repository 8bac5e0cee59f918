import { toHex } from "@vedette/crypto";
import { GBigInt, GBigRational, GDouble, GFixedPoint } from "@vedette/terms";
import { twosComplement } from "../normalize/twosComplement.js";

/** The number of a two's complement, the highest byte first; no bytes are zero. @spec 20 §14.2 */
export function bigOf(bytes: Uint8Array): bigint {
  if (bytes.length === 0) return 0n;
  return BigInt.asIntN(bytes.length * 8, BigInt(`0x${toHex(bytes)}`));
}

export function bigInt(value: bigint): GBigInt {
  return new GBigInt(twosComplement(value));
}

export function fixedPoint(unscaled: bigint, scale: number): GFixedPoint {
  return new GFixedPoint(twosComplement(unscaled), scale);
}

/** A quotient in lowest terms, its denominator above zero. */
export function rational(numerator: bigint, denominator: bigint): GBigRational {
  const divisor = greatestDivisor(numerator, denominator) * (denominator < 0n ? -1n : 1n);
  return new GBigRational(twosComplement(numerator / divisor), twosComplement(denominator / divisor));
}

function greatestDivisor(one: bigint, other: bigint): bigint {
  let a = one < 0n ? -one : one;
  let b = other < 0n ? -other : other;
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}

const view = new DataView(new ArrayBuffer(8));

export function doubleOf(bits: bigint): number {
  view.setBigUint64(0, bits);
  return view.getFloat64(0);
}

export function double(value: number): GDouble {
  view.setFloat64(0, value);
  return new GDouble(view.getBigUint64(0));
}
