import { hashKey, type Justification } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import { type BlockReferences, collectEvidence } from "./collectEvidence.js";
import type { SlashingEvidence } from "./SlashingEvidence.js";

/** The justifications of a new block, and the evidence that they prove. */
export interface JustificationsWithEvidence {
  readonly justifications: readonly Justification[];
  readonly offences: readonly SlashingEvidence[];
}

/**
 * Adds the known evidence against offenders with stake to the past of the next block. A side that is not the
 * validator's latest message is in no block's past until a block justifies it.
 *
 * @param past the references that the block would have otherwise
 * @throws {ChainError} as {@link collectEvidence}
 * @spec 40 §16.4
 */
export function includeKnownEvidence(dag: DagView, past: BlockReferences): JustificationsWithEvidence {
  let { justifications } = past;
  let { offences } = collectEvidence(dag, past);
  const { stakes } = past.parents[0]!.bonds;
  for (const { validator } of past.justifications) {
    const key = hashKey(validator);
    const isProved = () => offences.some(({ validatorKey }) => validatorKey === key);
    if (!dag.hasSlashingEvidence(key) || (stakes.get(key) ?? 0n) <= 0n) continue;
    for (const latestBlockHash of dag.proofAgainst(key)) {
      if (isProved()) break;
      const changed = justifications.map((one) =>
        hashKey(one.validator) === key ? { validator, latestBlockHash } : one,
      );
      const judged = collectEvidence(dag, { ...past, justifications: changed });
      if (!judged.offences.some(({ validatorKey }) => validatorKey === key)) continue;
      justifications = changed;
      offences = judged.offences;
    }
  }
  return { justifications, offences };
}
