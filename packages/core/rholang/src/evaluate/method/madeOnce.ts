import type { Expr, Par } from "@vedette/terms";

/**
 * What a method without arguments makes of a collection, made once for each: what such a call costs does not grow with
 * the collection.
 *
 * @spec 22 §4.3
 */
export function madeOnce<Base extends Expr>(make: (base: Base) => Par): (base: Base) => Par {
  const made = new WeakMap<Base, Par>();
  return (base) => {
    let result = made.get(base);
    if (result === undefined) {
      result = make(base);
      made.set(base, result);
    }
    return result;
  };
}
