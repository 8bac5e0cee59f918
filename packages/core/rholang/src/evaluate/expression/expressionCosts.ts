/** Every evaluation of a variable. @spec 22 §4.3 */
export const varEvalCost = 10;
/** Every method call, before the target is evaluated. @spec 22 §4.3 */
export const methodCallCost = 10;
/** `%%`, `++`, `--`, and `+` and `-` on collections. @spec 22 §4.3 */
export const opCallCost = 10;
/** Phlo for `+` of integers. @spec 22 §4.3 */
export const sumCost = 3;
/** Phlo for `-` of integers. @spec 22 §4.3 */
export const subtractionCost = 3;
/** Phlo for `*`. @spec 22 §4.3 */
export const multiplicationCost = 9;
/** Phlo for `/`. @spec 22 §4.3 */
export const divisionCost = 9;
/** Phlo for `%`. @spec 22 §4.3 */
export const moduloCost = 9;
/** `<`, `<=`, `>`, `>=`. @spec 22 §4.3 */
export const comparisonCost = 3;
/** `and`, `or`. @spec 22 §4.3 */
export const booleanCost = 2;
/** In addition to the method call. @spec 22 §4.3 */
export const nthCost = 10;
/** In addition to the method call. @spec 22 §4.3 */
export const keysCost = 10;
/** In addition to the method call. @spec 22 §4.3 */
export const lengthCost = 10;
/** `contains`, `get`, `getOrElse`. @spec 22 §4.3 */
export const lookupCost = 3;
/** `delete`, and `-` on collections. @spec 22 §4.3 */
export const removalCost = 3;
/** `add`, `set`, and `+` on sets. @spec 22 §4.3 */
export const additionCost = 3;

/** `union`: the size of the argument decides. @spec 22 §4.3 */
export function unionCost(size: number): number {
  return 3 * size;
}

/** `diff`: the size of the argument decides. @spec 22 §4.3 */
export function diffCost(size: number): number {
  return 3 * size;
}

/** Number of decimal digits of the length, less one; the right operand does not count. @spec 22 §4.3 */
export function byteArrayAppendCost(leftLength: number): number {
  return String(leftLength).length - 1;
}

/** Quirk 22 §4.3: multiplied in 32 bits, so that it can wrap around to a refund. @spec 22 §4.3 */
export function interpolateCost(templateLength: number, pairs: number): number {
  return Math.imul(templateLength, pairs);
}
