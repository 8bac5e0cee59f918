import { commitmentTo, readEvidence } from "@vedette/chain/finality";
import { equalBytes } from "@vedette/crypto";
import type { Block } from "@vedette/protocol";

/**
 * Whether a block's hash covers its justifications, which it does where the block states a hash over them.
 *
 * @spec 40 §16.1, 70 §2
 */
export function hasCoveredJustifications({ extraBytes, justifications }: Block): boolean {
  const commitment = readEvidence(extraBytes)?.commitment;
  return commitment !== undefined && equalBytes(commitment, commitmentTo(justifications));
}
