import { hashKey } from "@vedette/protocol";
import type { DagView } from "../dag/DagView.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import type { ProposeFailureStatus } from "./ProposeResult.js";
import type { Snapshot } from "./snapshot.js";

/** What a validator demands of itself before it makes a block. @spec 40 §9.7, §13 */
export interface ProposeConstraints {
  /** Share of the others' stake that must have spoken since the own last block. */
  readonly synchronyThreshold: number;
  /** How far above the last finalized block the own last block may be. */
  readonly heightThreshold: bigint;
}

/** The moment that is judged. */
export interface ConstraintFacts {
  readonly dag: DagView;
  readonly snapshot: Snapshot;
  readonly ownKey: Uint8Array;
  /** The validators that may propose on the main parent's post-state. */
  readonly active: readonly Uint8Array[];
}

/**
 * Whether the validator may propose now.
 *
 * @returns why not
 * @spec 40 §9.7 (step 2)
 */
export function checkConstraints(
  facts: ConstraintFacts,
  { synchronyThreshold, heightThreshold }: ProposeConstraints,
  emit: EmitProposeEvent,
): ProposeFailureStatus | undefined {
  const own = hashKey(facts.ownKey);
  if (!facts.active.some((validator) => hashKey(validator) === own)) return "NotBonded";
  const { ownLatest, lastFinalized } = facts.snapshot;
  if (ownLatest === undefined) return "BugError";
  const isSynchronous = checkSynchrony(facts, synchronyThreshold, emit);
  const ahead = ownLatest.number - lastFinalized.number;
  emit({ type: "heightMeasured", ahead });
  if (!isSynchronous) return "NotEnoughNewBlocks";
  return ahead > heightThreshold ? "TooFarAheadOfLastFinalized" : undefined;
}

function checkSynchrony(
  { dag, snapshot: { ownLatest, parents }, ownKey, active: activeKeys }: ConstraintFacts,
  limit: number,
  emit: EmitProposeEvent,
): boolean {
  const own = hashKey(ownKey);
  const active = new Set(activeKeys.map(hashKey));
  if (ownLatest === undefined || ownLatest.number === 0n) return true;
  const { stakes } = parents[0]!.bonds;
  // Whoever is known to offend is waited for by nobody (40 §16.5).
  const weightOf = (validator: string): bigint =>
    active.has(validator) && !dag.isOffender(validator) ? (stakes.get(validator) ?? 0n) : 0n;
  let senders = 0;
  let weight = 0n;
  for (const { validator, latestBlockHash } of ownLatest.justifications) {
    const key = hashKey(validator);
    const latest = dag.latestMessage(key);
    if (key === own || latest === undefined || hashKey(latest) === hashKey(latestBlockHash)) continue;
    senders += 1;
    weight += weightOf(key);
  }
  let total = -weightOf(own);
  for (const validator of active) total += weightOf(validator);
  const value = total === 0n ? 1 : Number(weight) / Number(total);
  // Quirk 40 §9.7: the threshold passes through a 32-bit number.
  const threshold = Math.fround(limit);
  emit({ type: "synchronyMeasured", senders, weight, total, value, threshold });
  return value >= threshold;
}
