import type { Dialect } from "@vedette/protocol";
import { rnodeForms } from "./rnodeForms.js";
import type { StateForms } from "./StateForms.js";

/** f1r3node's come with an interpreter of their own, which nobody should hold who has no use for it. */
const loaders: Readonly<Record<Dialect["name"], () => Promise<StateForms>>> = {
  rnode: async () => rnodeForms,
  f1r3node: async () => (await import("./f1r3nodeForms.js")).f1r3nodeForms,
};

/** Loads what the states of a dialect are read with. */
export function loadForms(dialect: Dialect["name"]): Promise<StateForms> {
  return loaders[dialect]();
}
