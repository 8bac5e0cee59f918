/** The larger of two lengths in bytes and one, at least 3. Sums and differences of big integers. @spec 22 §9 */
export function bigSumCost(one: Uint8Array, other: Uint8Array): number {
  return Math.max(Math.max(one.length, other.length) + 1, 3);
}

/** The product of the lengths, at least 9. Products, quotients, remainders of big integers. @spec 22 §9 */
export function bigProductCost(one: Uint8Array, other: Uint8Array): number {
  return Math.max(one.length * other.length, 9);
}

/** @spec 22 §9 */
export function bigNegationCost(value: Uint8Array): number {
  return Math.max(value.length, 1);
}

/** @spec 22 §9 */
export function bigComparisonCost(one: Uint8Array, other: Uint8Array): number {
  return Math.max(one.length, other.length, 3);
}

/** A rational number as its cost sees it. */
interface Quotient {
  readonly numerator: Uint8Array;
  readonly denominator: Uint8Array;
}

/** @spec 22 §9 */
export function rationalSumCost(one: Quotient, other: Quotient): number {
  const longest = longestOf(one, other);
  return Math.max(4 * longest * longest + longest, 3);
}

/** @spec 22 §9 */
export function rationalProductCost(one: Quotient, other: Quotient): number {
  const numerators = one.numerator.length * other.numerator.length;
  const denominators = one.denominator.length * other.denominator.length;
  return Math.max(numerators + denominators + longestOf(one, other), 9);
}

/** @spec 22 §9 */
export function rationalQuotientCost(one: Quotient, other: Quotient): number {
  const left = one.numerator.length * other.denominator.length;
  const right = one.denominator.length * other.numerator.length;
  return Math.max(left + right + longestOf(one, other), 9);
}

/** @spec 22 §9 */
export function rationalComparisonCost(one: Quotient, other: Quotient): number {
  const left = one.numerator.length * other.denominator.length;
  const right = other.numerator.length * one.denominator.length;
  return Math.max(left, right, 3);
}

function longestOf(one: Quotient, other: Quotient): number {
  return Math.max(one.numerator.length, one.denominator.length, other.numerator.length, other.denominator.length);
}
