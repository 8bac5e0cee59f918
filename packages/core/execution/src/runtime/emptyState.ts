import { emptyRoot, PlaySpace, type StateStore } from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";

/**
 * Makes the state on which genesis runs: the registry's fixed names wait for whoever asks first.
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
