import { hashKey, type Justification } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { SlashingEvidence } from "./SlashingEvidence.js";

/** The votes of other validators that a block names. */
export interface NamedVotes {
  readonly senderKey: string;
  readonly main: BlockMetadata;
  readonly justifications: readonly Justification[];
  /** Those that the block states. */
  readonly offences: readonly SlashingEvidence[];
}

/**
 * Whether a block justifies a newer block of another validator than its creator's block before. Only validators with
 * stake and without a stated offence count. A changed justification is newer, since older ones are invalid (40 §16.3).
 *
 * @param previous the creator's own block before
 * @throws {ChainError} `blockMissing`
 * @spec 40 §16.3
 */
export function hasNewerJustification(
  dag: Pick<DagView, "require">,
  { senderKey, main, justifications, offences }: NamedVotes,
  previous: BlockMetadata,
): boolean {
  const offenders = new Set(offences.map(({ validatorKey }) => validatorKey));
  return justifications.some(({ validator, latestBlockHash }) => {
    const key = hashKey(validator);
    const before = previous.justificationOf(key);
    if (key === senderKey || offenders.has(key) || (main.bonds.stakes.get(key) ?? 0n) <= 0n) return false;
    if (before === undefined || hashKey(before) === hashKey(latestBlockHash)) return false;
    const vote = dag.require(latestBlockHash);
    return vote.senderKey === key && !vote.invalid;
  });
}
