import { methodTable } from "./methodTable.js";

/** Every method's name, with the number of its arguments. @spec 21 §6.3 */
export const methods: ReadonlyMap<string, number> = new Map([...methodTable].map(([name, { arity }]) => [name, arity]));
