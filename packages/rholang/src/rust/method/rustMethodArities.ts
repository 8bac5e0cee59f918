import { rustMethods } from "./rustMethods.js";

/** Every method's name on networks of the newer node, with the number of its arguments. @spec 21 §6.3, 61 §6.4 */
export const rustMethodArities: ReadonlyMap<string, number> = new Map(
  [...rustMethods].map(([name, { arity }]) => [name, arity]),
);
