import type { Dialect } from "@vedette/protocol";
import { rnodeForms } from "./rnodeForms.js";
import type { StateForms } from "./StateForms.js";

/** Loaders by dialect. f1r3node's forms load a second interpreter, which processes of rnode networks do not need. */
const loaders: Readonly<Record<Dialect["name"], () => Promise<StateForms>>> = {
  rnode: async () => rnodeForms,
  f1r3node: async () => (await import("./f1r3nodeForms.js")).f1r3nodeForms,
};

/** Loads what the states of a dialect are read with. */
export function loadForms(dialect: Dialect["name"]): Promise<StateForms> {
  return loaders[dialect]();
}
