import { type Deploy, hashKey } from "@vedette/protocol";
import type { PlayTimes } from "./BlockTimeBudget.js";
import { type BlockLimits, Packing, roomForFamiliar } from "./blockRoom.js";
import type { DeployAdmission } from "./DeployAdmission.js";
import type { DeployPool } from "./DeployPool.js";
import type { PoolEntry } from "./PoolEntry.js";
import type { EmitProposeEvent, FilterReason } from "./ProposeEvent.js";
import { type PlayPlan, planAttempts } from "./planAttempts.js";
import type { Snapshot } from "./snapshot.js";
import { orderDeploysFairly } from "./turns.js";

/** The deploys to choose from, and the block to choose for. */
export interface ChoiceFacts {
  readonly pool: DeployPool;
  readonly snapshot: Snapshot;
  /** `hashKey` of the signature of the only deploy that is chosen; left out: all may be. */
  readonly only?: string | undefined;
}

/** The limits of the choice. */
export interface ChoiceLimits {
  readonly block: BlockLimits;
  readonly times: PlayTimes;
}

/** Deploys that could not be executed before and are tried at the end of one block, as long as there is time. */
const maxAgain = 32;
/** The part of a block's places, one of this many, that they have at most. */
const partOfAgain = 4;

/** Deploys that a merge gave up and that come again in one block. @spec 61 §17 */
const maxRetries = 32;

/** Filtered deploys that are reported one by one in a proposal. */
const maxFilteredReported = 10;

/**
 * The deploys of the pool that are tried for the next block, and when: those that a merge gave up, those with programs
 * that are familiar, then others, each in turns, and at the end what could not be executed before.
 *
 * Ours: rnode takes all there are, in any order.
 *
 * @spec 40 §9.3, §9.5, 61 §17
 */
export function chooseDeploys(
  { pool, snapshot, only }: ChoiceFacts,
  { block, times }: ChoiceLimits,
  emit: EmitProposeEvent,
): PlayPlan<Deploy> {
  const { number, earliest, admission } = snapshot;
  const count = { future: 0, expired: 0, inScope: 0, valid: 0 };
  let reported = 0;
  const report = ({ signature, validAfterBlockNumber }: PoolEntry, reason: FilterReason): void => {
    reported += 1;
    if (reported > maxFilteredReported) return;
    emit({ type: "deployFiltered", signature, reason, validAfterBlockNumber, number, earliest });
  };
  const groups = {
    retries: [] as PoolEntry[],
    familiar: [] as PoolEntry[],
    others: [] as PoolEntry[],
    again: [] as PoolEntry[],
  };
  for (const entry of pool.entries()) {
    if (pool.isResting(entry) || (only !== undefined && hashKey(entry.signature) !== only)) continue;
    const reason = admission.timeReason(entry);
    if (reason === undefined) {
      count.valid += 1;
      groups[groupOf(entry, pool, admission)].push(entry);
      continue;
    }
    count[reason] += 1;
    report(entry, reason);
  }
  const pack = (entries: readonly PoolEntry[], packing: Packing): readonly PoolEntry[] => {
    for (const entry of orderDeploysFairly(entries, pool.trust, number % 2n === 0n)) {
      if (packing.isFull) break;
      if (admission.isInScope(entry)) {
        count.inScope += 1;
        report(entry, "inScope");
      } else packing.offer(entry);
    }
    return packing.entries;
  };
  const againPlaces = Math.min(maxAgain, Math.ceil(block.deploys / partOfAgain));
  const again = pack(groups.again, new Packing({ ...block, deploys: againPlaces }));
  const room = { ...block, deploys: block.deploys - again.length };
  const retries = pack(groups.retries, new Packing({ ...room, deploys: Math.min(maxRetries, room.deploys) }));
  const familiar = [
    ...retries,
    ...pack(groups.familiar, new Packing(roomForFamiliar(room, groups.others.length), retries)),
  ];
  const others = pack(groups.others, new Packing(room, familiar));
  const plan = planAttempts({ familiar, others, again }, times, pool.trust);
  if (pool.size > 0)
    emit({ type: "deploysSelected", number, earliest, pool: pool.size, ...count, selected: plan.deploys.length });
  return { ...plan, deploys: plan.deploys.map((entry) => pool.require(entry)) };
}

function groupOf(
  entry: PoolEntry,
  pool: DeployPool,
  admission: DeployAdmission,
): "retries" | "familiar" | "others" | "again" {
  if (pool.wasAside(entry)) return "again";
  if (admission.isRetry(entry)) return "retries";
  return pool.trust.isFamiliar(entry) ? "familiar" : "others";
}

/** Whether any deploy of the pool could be in the next block. */
export function hasSelectable({ pool, snapshot: { admission } }: ChoiceFacts): boolean {
  for (const entry of pool.entries())
    if (admission.timeReason(entry) === undefined && !admission.isInScope(entry)) return true;
  return false;
}
