import { hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";
import type { ProposeFailureStatus } from "./ProposeResult.js";
import type { SynchronyRecovery, SynchronyRecoverySettings } from "./SynchronyRecovery.js";
import type { Snapshot } from "./snapshot.js";

/** The conditions of a validator for making a block. @spec 40 §9.7, §13 */
export interface ProposeConstraints {
  /** Share of the others' stake that must have spoken since the own last block. */
  readonly synchronyThreshold: number;
  /** How far above the last finalized block the own last block may be. */
  readonly heightThreshold: bigint;
  /** The action when too few of the others have sent messages for long; default: none. @spec 61 §17.2 */
  readonly recovery?: SynchronyRecoverySettings | undefined;
}

/** The moment that is judged. */
export interface ConstraintFacts {
  readonly dag: DagView;
  readonly snapshot: Snapshot;
  readonly ownKey: Uint8Array;
  /** The validators that may propose on the main parent's post-state. */
  readonly active: readonly Uint8Array[];
  readonly recovery?: SynchronyRecovery | undefined;
  /** The time of a clock that is never set. */
  readonly monotonicMs: number;
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
  const isSynchronous = checkSynchrony(facts, ownLatest, { synchronyThreshold, heightThreshold }, emit);
  const ahead = ownLatest.number - lastFinalized.number;
  emit({ type: "heightMeasured", ahead });
  if (!isSynchronous) return "NotEnoughNewBlocks";
  return ahead > heightThreshold ? "TooFarAheadOfLastFinalized" : undefined;
}

function checkSynchrony(
  facts: ConstraintFacts,
  ownLatest: BlockMetadata,
  limits: Pick<ProposeConstraints, "synchronyThreshold" | "heightThreshold">,
  emit: EmitProposeEvent,
): boolean {
  if (ownLatest.number === 0n) return true;
  const { recovery, monotonicMs } = facts;
  const hasEnough = (since: BlockMetadata): boolean => hasSpokenSince(facts, since, limits.synchronyThreshold, emit);
  const isSynchronous =
    hasEnough(ownLatest) || (countsFromFinalized(facts, ownLatest, limits) && hasEnough(facts.snapshot.lastFinalized));
  if (isSynchronous) recovery?.noteSynchronous();
  if (isSynchronous || recovery?.passes(monotonicMs) !== true) return isSynchronous;
  emit({ type: "synchronyPassed", stallWindowMs: recovery.settings.stallWindowMs });
  return true;
}

/** @spec 61 §17.2 */
function countsFromFinalized(
  { recovery, snapshot: { lastFinalized } }: ConstraintFacts,
  ownLatest: BlockMetadata,
  { heightThreshold }: Pick<ProposeConstraints, "heightThreshold">,
): boolean {
  if (recovery?.settings.countsFromFinalized !== true) return false;
  const { maxFinalizedDistance } = recovery.settings;
  const most = heightThreshold < maxFinalizedDistance ? heightThreshold : maxFinalizedDistance;
  return ownLatest.number - lastFinalized.number <= most;
}

/** Whether validators of enough stake have made blocks that a block of the past does not name. */
function hasSpokenSince(
  { dag, snapshot: { parents }, ownKey, active: activeKeys }: ConstraintFacts,
  since: BlockMetadata,
  limit: number,
  emit: EmitProposeEvent,
): boolean {
  const own = hashKey(ownKey);
  const active = new Set(activeKeys.map(hashKey));
  const { stakes } = parents[0]!.bonds;
  // The stake of a known offender does not count, so no validator waits for it (40 §16.5).
  const weightOf = (validator: string): bigint =>
    active.has(validator) && !dag.hasSlashingEvidence(validator) ? (stakes.get(validator) ?? 0n) : 0n;
  let senders = 0;
  let weight = 0n;
  for (const { validator, known } of knownLatest(since, active)) {
    const latest = dag.latestMessage(validator);
    if (validator === own || latest === undefined || hashKey(latest) === known) continue;
    senders += 1;
    weight += weightOf(validator);
  }
  let total = -weightOf(own);
  for (const validator of active) total += weightOf(validator);
  const value = total === 0n ? 1 : Number(weight) / Number(total);
  // Quirk 40 §9.7: the threshold passes through a 32-bit number.
  const threshold = Math.fround(limit);
  emit({ type: "synchronyMeasured", senders, weight, total, value, threshold });
  return value >= threshold;
}

/**
 * Returns the latest message that a block justifies for each validator; genesis has no justifications, so it represents
 * all.
 */
function knownLatest(
  { justifications, number, key }: BlockMetadata,
  active: ReadonlySet<string>,
): readonly { readonly validator: string; readonly known: string }[] {
  if (number === 0n) return [...active].map((validator) => ({ validator, known: key }));
  return justifications.map(({ validator, latestBlockHash }) => ({
    validator: hashKey(validator),
    known: hashKey(latestBlockHash),
  }));
}
