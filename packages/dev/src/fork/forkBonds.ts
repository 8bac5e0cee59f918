import type { Bond } from "@vedette/protocol";

/** Stake of the one validator of a fork. */
const stake = 1_000n;

/** Who is bonded on a fork, whatever the contract in the state says: its one validator. */
export function forkBonds(validator: Uint8Array): readonly Bond[] {
  return [{ validator, stake }];
}
