import { bootstrapRegistry, installSystemProcesses, matchDatum } from "@vedette/rholang";
import { emptyRoot, PlaySpace, type StateStore } from "@vedette/tuplespace";

/**
 * Makes the state on which genesis runs: the registry's fixed names wait for whoever asks first.
 *
 * @returns its root
 * @spec 41 §1.3
 */
export function commitEmptyState(states: StateStore): Uint8Array {
  const space = new PlaySpace(states, matchDatum, emptyRoot);
  installSystemProcesses(space);
  bootstrapRegistry(space);
  return space.checkpoint().root;
}
