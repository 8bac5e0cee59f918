import { doubleOf, integerOf } from "../../model/numberOf.js";
import type { GFixedPoint } from "../../model/numbers.js";

/** @spec 61 §6 */
export function printFixedPoint({ unscaled, scale }: GFixedPoint): string {
  const value = integerOf(unscaled);
  if (scale === 0) return `${value}p0`;
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${value < 0n ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}p${scale}`;
}

/** All digits of a double, without an exponent; a whole number has one place. @param bits its IEEE-754 form */
export function printDouble(bits: bigint): string {
  const value = doubleOf(bits);
  if (Number.isNaN(value)) return "NaNf64";
  if (!Number.isFinite(value)) return value > 0 ? "inff64" : "-inff64";
  const sign = value < 0 || Object.is(value, -0) ? "-" : "";
  const size = Math.abs(value);
  return `${sign}${Number.isInteger(size) ? `${BigInt(size)}.0` : withoutExponent(size)}f64`;
}

/** The shortest digits that mean a number below 2^53 that is not whole. */
function withoutExponent(size: number): string {
  const [digits, exponent] = size.toString().split("e-") as [string, string?];
  if (exponent === undefined) return digits;
  return `0.${"0".repeat(Number(exponent) - 1)}${digits.replace(".", "")}`;
}
