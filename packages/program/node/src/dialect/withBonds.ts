import type { BlockExecution, F1r3nodeProposeExecution, ProposeExecution } from "@vedette/chain";
import type { Bond } from "@vedette/protocol";

/**
 * Executes blocks as usual, but with these bonds in place of those of the contract in the state: the state is another
 * network's, and its validators are not here.
 *
 * @param bonds default: those of the states
 */
export function withBonds(
  usual: BlockExecution & ProposeExecution,
  bonds: readonly Bond[] | undefined,
): BlockExecution & ProposeExecution {
  if (bonds === undefined) return usual;
  return {
    ...usual,
    bonds: async () => bonds,
    activeValidators: async () => bonds.map(({ validator }) => validator),
    async play(request) {
      const outcome = await usual.play(request);
      if (outcome.kind !== "played") return outcome;
      return { ...outcome, body: { ...outcome.body, state: { ...outcome.body.state, bonds } } };
    },
  };
}

/** {@link withBonds} for f1r3node's networks. @spec 61 §13.6 */
export function withCommittee(
  usual: F1r3nodeProposeExecution,
  bonds: readonly Bond[] | undefined,
): F1r3nodeProposeExecution {
  return bonds === undefined ? usual : { ...usual, committee: async () => bonds };
}
