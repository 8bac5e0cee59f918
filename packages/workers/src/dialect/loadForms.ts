import type { Dialect } from "@vedette/protocol";
import type { StateForms } from "./StateForms.js";
import { scalaForms } from "./scalaForms.js";

/** The newer node's come with an interpreter of their own, which nobody should hold who has no use for it. */
const loaders: Readonly<Record<Dialect["name"], () => Promise<StateForms>>> = {
  "rnode-scala": async () => scalaForms,
  "rnode-rust": async () => (await import("./rustForms.js")).rustForms,
};

/** Loads what the states of a dialect are read with. */
export function loadForms(dialect: Dialect["name"]): Promise<StateForms> {
  return loaders[dialect]();
}
