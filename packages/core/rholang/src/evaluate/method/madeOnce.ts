import type { Expr, Par } from "@vedette/terms";

/**
 * Caches the result of a method without arguments for each collection: the cost of such a call does not grow with the
 * collection.
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
