import { f1r3nodeMethods } from "./f1r3nodeMethods.js";

/** Every method's name on f1r3node networks, with the number of its arguments. @spec 21 §6.3, 61 §6.4 */
export const f1r3nodeMethodArities: ReadonlyMap<string, number> = new Map(
  [...f1r3nodeMethods].map(([name, { arity }]) => [name, arity]),
);
