import type { Bond } from "@vedette/protocol";
import type { DevPlan } from "../planDev.js";

/** Stake of the one validator of a fork. */
const stake = 1_000n;

/** Who is bonded on a fork, whatever the contract in the state says: its one validator. */
export function forkBonds(validator: Uint8Array): readonly Bond[] {
  return [{ validator, stake }];
}

/**
 * Executes blocks as usual, but has it that the fork's validator is the only one: the state is another network's, whose
 * validators are not here.
 */
export function forkExecution(bonds: readonly Bond[]): NonNullable<DevPlan["execution"]> {
  return (usual) => ({
    ...usual,
    bonds: async () => bonds,
    activeValidators: async () => bonds.map(({ validator }) => validator),
    async play(request) {
      const outcome = await usual.play(request);
      if (outcome.kind !== "played") return outcome;
      return { ...outcome, body: { ...outcome.body, state: { ...outcome.body.state, bonds } } };
    },
  });
}
