import { emptyRoot, PlaySpace, type StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";

/**
 * Makes the state on which genesis runs: each fixed channel of the registry sends itself to its first caller.
 *
 * @returns its root
 * @spec 41 §1.3
 */
export function commitEmptyState(states: StateStore, form: ExecutionDialect): Uint8Array {
  const space = new PlaySpace(states, form.matchDatum, emptyRoot);
  form.install(space);
  form.bootstrap(space);
  return space.checkpoint().root;
}
