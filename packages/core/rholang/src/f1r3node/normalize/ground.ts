import { fromHex } from "@vedette/crypto";
import {
  checkTextLength,
  type Expr,
  type F1r3nodeParBuilder,
  GBigInt,
  GBigRational,
  GBool,
  GDouble,
  GFixedPoint,
  GInt,
  GString,
  GUri,
  TermLimitError,
} from "@vedette/terms";
import { spannedError } from "../../InterpreterError.js";
import type { FreeMap } from "../../normalize/FreeMap.js";
import type { NumberLiteral } from "../syntax/ast.js";
import type { F1r3nodeNormalizer } from "./F1r3nodeNormalizer.js";
import { twosComplement } from "./twosComplement.js";

type GroundRule<Literal> = (
  literal: Literal,
  into: F1r3nodeParBuilder,
  free: FreeMap,
  normalizer: F1r3nodeNormalizer,
) => void;

const trueExpr = new GBool(true);
const falseExpr = new GBool(false);
const one = Uint8Array.of(1);
const smallest = -(2n ** 63n);
const largest = 2n ** 63n - 1n;
const largestUnsigned = 2n ** 64n - 1n;

/** A number takes time that grows faster than its length; f1r3node has no limit. */
const maxDigits = 1_000_000;

export const normalizeBool: GroundRule<{ readonly value: boolean }> = ({ value }, into) =>
  into.addExpr(value ? trueExpr : falseExpr, 0);

export const normalizeInt: GroundRule<{ readonly value: bigint }> = ({ value }, into) =>
  into.addExpr(new GInt(value), 0);

export const normalizeString: GroundRule<{ readonly value: string }> = ({ value }, into) =>
  into.addExpr(new GString(value), 0);

export const normalizeUri: GroundRule<{ readonly value: string }> = ({ value }, into) =>
  into.addExpr(new GUri(value), 0);

export const normalizeNumber: GroundRule<NumberLiteral> = (literal, into) => into.addExpr(numberExpr(literal), 0);

/** `()` is parsed, and nothing becomes of it. @spec 20 §14.1 */
export function refuseUnit(): never {
  const text = "Bug found: Expected a ground type in new AST, found unsupported variant";
  throw spannedError("BugFoundError", text);
}

/** @spec 20 §14.1, 61 §5 */
function numberExpr({ form, digits, width }: NumberLiteral): Expr {
  switch (form) {
    case "signed": {
      const value = within(smallest, digits, largest, "signed");
      return width <= 64 ? new GInt(value) : new GBigInt(twosComplement(value));
    }
    case "unsigned": {
      const value = within(0n, digits, largestUnsigned, "unsigned");
      if (width <= 64 && value <= largest) return new GInt(value);
      // Quirk 61 §5: from 2^63 on the sign is missing, so that the number is a negative one.
      return new GBigInt(value > largest ? fromHex(value.toString(16)) : twosComplement(value));
    }
    case "bigInt":
      return new GBigInt(twosComplement(integer(digits)));
    case "bigRational":
      return new GBigRational(twosComplement(integer(digits)), one);
    case "float":
      return new GDouble(doubleBits(Number(digits)));
    case "fixedPoint":
      return new GFixedPoint(twosComplement(unscaled(digits, width)), width);
  }
}

/** Quirk 61 §5: whatever its width, the value must fit into 64 bits. */
function within(least: bigint, digits: string, most: bigint, sign: "signed" | "unsigned"): bigint {
  const value = integer(digits);
  if (value >= least && value <= most) return value;
  throw spannedError("NormalizerError", `Normalizer error: Invalid ${sign} integer literal: ${digits}`);
}

function integer(digits: string): bigint {
  checkDigits(digits.length);
  return BigInt(digits);
}

/** f1r3node's compiler panics where it has to fill up more places. @spec 61 §5 */
const maxFilledPlaces = 65_535;

/** In units of the last place; further digits are cut off. */
function unscaled(digits: string, places: number): bigint {
  const [whole, fraction = ""] = digits.split(".") as [string, string?];
  if (places > maxFilledPlaces && fraction.length < places)
    throw spannedError("ParserError", `Parser error: a fraction cannot be filled up to ${places} places`);
  checkDigits(digits.length + places);
  return integer(whole + fraction.slice(0, places).padEnd(places, "0"));
}

function checkDigits(count: number): void {
  checkTextLength(count);
  if (count > maxDigits) throw new TermLimitError({ code: "tooLong", limit: maxDigits });
}

function doubleBits(value: number): bigint {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0);
}
