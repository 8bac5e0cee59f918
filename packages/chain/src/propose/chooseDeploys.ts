import { type Deploy, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { recentAncestors } from "../validation/repeatDeploy.js";
import { type BlockLimits, Packing, roomForFamiliar } from "./blockRoom.js";
import type { DeployPool } from "./DeployPool.js";
import type { PlayTimes } from "./PlayPace.js";
import type { PoolEntry } from "./PoolEntry.js";
import type { EmitProposeEvent, FilterReason } from "./ProposeEvent.js";
import { type PlayPlan, planTries } from "./planTries.js";
import type { Snapshot } from "./snapshot.js";
import { inTurns } from "./turns.js";

/** What is chosen from, and for which block. */
export interface ChoiceFacts {
  readonly pool: DeployPool;
  readonly dag: DagView;
  readonly snapshot: Snapshot;
}

/** What the choice keeps to. */
export interface ChoiceLimits {
  readonly block: BlockLimits;
  readonly times: PlayTimes;
}

/** Deploys that could not be executed before and are tried at the end of one block, as long as there is time. */
const mostAgain = 32;

/** Deploys that are told of one by one in a proposal. */
const mostFilteredTold = 10;

/**
 * The deploys of the pool that are tried for the next block, and when: those with programs that are familiar, then
 * others, each in turns, and at the end what could not be executed before.
 *
 * Ours: the reference takes all there are, in any order.
 *
 * @spec 40 §9.3, §9.5
 */
export function chooseDeploys(
  { pool, dag, snapshot }: ChoiceFacts,
  { block, times }: ChoiceLimits,
  emit: EmitProposeEvent,
): PlayPlan<Deploy> {
  const { number, earliest } = snapshot;
  const count = { future: 0, expired: 0, inScope: 0, valid: 0 };
  let told = 0;
  const tell = ({ signature, validAfterBlockNumber }: PoolEntry, reason: FilterReason): void => {
    told += 1;
    if (told > mostFilteredTold) return;
    emit({ type: "deployFiltered", signature, reason, validAfterBlockNumber, number, earliest });
  };
  const isInScope = scopeOf(dag, snapshot.parents);
  const groups = { familiar: [] as PoolEntry[], others: [] as PoolEntry[], again: [] as PoolEntry[] };
  for (const entry of pool.entries()) {
    if (pool.isResting(entry)) continue;
    const reason = filterOf(entry, snapshot);
    if (reason === undefined) {
      count.valid += 1;
      groups[pool.wasAside(entry) ? "again" : pool.trust.isFamiliar(entry) ? "familiar" : "others"].push(entry);
      continue;
    }
    count[reason] += 1;
    tell(entry, reason);
  }
  const pack = (entries: readonly PoolEntry[], packing: Packing): readonly PoolEntry[] => {
    for (const entry of inTurns(entries, pool.trust, number % 2n === 0n)) {
      if (packing.isFull) break;
      if (isInScope(entry)) {
        count.inScope += 1;
        tell(entry, "inScope");
      } else packing.offer(entry);
    }
    return packing.entries;
  };
  const familiar = pack(groups.familiar, new Packing(roomForFamiliar(block, groups.others.length)));
  const others = pack(groups.others, new Packing(block, familiar));
  const again = pack(groups.again, new Packing({ ...block, deploys: mostAgain }));
  const plan = planTries({ familiar, others, again }, times, pool.trust);
  if (pool.size > 0)
    emit({ type: "deploysSelected", number, earliest, pool: pool.size, ...count, selected: plan.deploys.length });
  return { ...plan, deploys: plan.deploys.map((entry) => pool.require(entry)) };
}

/** Whether any deploy of the pool could be in the next block. */
export function hasSelectable({ pool, dag, snapshot }: ChoiceFacts): boolean {
  const isInScope = scopeOf(dag, snapshot.parents);
  for (const entry of pool.entries()) if (filterOf(entry, snapshot) === undefined && !isInScope(entry)) return true;
  return false;
}

function filterOf({ validAfterBlockNumber }: PoolEntry, { number, earliest }: Snapshot): FilterReason | undefined {
  if (validAfterBlockNumber >= number) return "future";
  return validAfterBlockNumber <= earliest ? "expired" : undefined;
}

/** Whether a deploy is in the parents or in a recent ancestor of theirs. @spec 40 §9.3 */
function scopeOf(dag: DagView, parents: readonly BlockMetadata[]): (entry: PoolEntry) => boolean {
  let recent: ReadonlySet<string> | undefined;
  return ({ signature }) => {
    const blocks = dag.blocksOfDeploy(signature);
    if (blocks.length === 0) return false;
    recent ??= recentAncestors(dag, parents);
    return blocks.some((hash) => recent?.has(hashKey(hash)) === true);
  };
}
