import { type Deploy, hashKey } from "@vedette/protocol";
import type { BlockMetadata } from "../dag/BlockMetadata.js";
import type { DagView } from "../dag/DagView.js";
import { recentAncestors } from "../validation/repeatDeploy.js";
import type { DeployPool, PoolEntry } from "./DeployPool.js";
import type { EmitProposeEvent, FilterReason } from "./ProposeEvent.js";
import type { Snapshot } from "./snapshot.js";
import { inTurns } from "./turns.js";

/** What user deploys may take of one block; one deploy alone may always be in a block. */
export interface BlockLimits {
  readonly deploys: number;
  /** Encoded bytes of the deploys. */
  readonly bytes: number;
  /** Sum of the phlo limits. */
  readonly phlo: bigint;
}

/** A block that everybody can validate while the next one is made. */
export const defaultBlockLimits: BlockLimits = { deploys: 128, bytes: 8_000_000, phlo: 2_000_000_000n };

/** What is chosen from, and for which block. */
export interface ChoiceFacts {
  readonly pool: DeployPool;
  readonly dag: DagView;
  readonly snapshot: Snapshot;
}

/** Deploys that are told of one by one in a proposal. */
const mostFilteredTold = 10;

/**
 * The deploys of the pool that the next block takes: in turns, and then those that arrived first, up to the limits.
 *
 * Ours: the reference takes all there are, in any order.
 *
 * @spec 40 §9.3, §9.5
 */
export function chooseDeploys(
  { pool, dag, snapshot }: ChoiceFacts,
  limits: BlockLimits,
  emit: EmitProposeEvent,
): readonly Deploy[] {
  const { number, earliest } = snapshot;
  const count = { future: 0, expired: 0, inScope: 0, valid: 0 };
  let told = 0;
  const tell = ({ signature, validAfterBlockNumber }: PoolEntry, reason: FilterReason): void => {
    told += 1;
    if (told > mostFilteredTold) return;
    emit({ type: "deployFiltered", signature, reason, validAfterBlockNumber, number, earliest });
  };
  const isInScope = scopeOf(dag, snapshot.parents);
  const packed = new Packing(limits);
  const valid: PoolEntry[] = [];
  for (const entry of pool.entries()) {
    if (pool.isAside(entry, number)) continue;
    const reason = filterOf(entry, snapshot);
    if (reason === undefined) {
      valid.push(entry);
      continue;
    }
    count[reason] += 1;
    tell(entry, reason);
  }
  count.valid = valid.length;
  for (const entry of inTurns(valid, pool, number % 2n === 0n)) {
    if (packed.isFull) break;
    if (isInScope(entry)) {
      count.inScope += 1;
      tell(entry, "inScope");
    } else packed.offer(entry);
  }
  if (pool.size > 0)
    emit({ type: "deploysSelected", number, earliest, pool: pool.size, ...count, selected: packed.entries.length });
  return packed.entries.map((entry) => pool.require(entry));
}

/** Whether any deploy of the pool could be in the next block. */
export function hasSelectable({ pool, dag, snapshot }: ChoiceFacts): boolean {
  const isInScope = scopeOf(dag, snapshot.parents);
  for (const entry of pool.entries())
    if (!pool.isAside(entry, snapshot.number) && filterOf(entry, snapshot) === undefined && !isInScope(entry))
      return true;
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

/** A limit is no cost, and may not even be paid for: so many deploys fit into a block whatever their limits are. */
const mostShares = 8n;

class Packing {
  readonly entries: PoolEntry[] = [];
  isFull = false;
  readonly #limits: BlockLimits;
  #bytes = 0;
  #phlo = 0n;

  constructor(limits: BlockLimits) {
    this.#limits = limits;
  }

  offer(entry: PoolEntry): void {
    const bytes = this.#bytes + entry.sizeBytes;
    const { deploys, bytes: mostBytes, phlo: mostPhlo } = this.#limits;
    const phlo = this.#phlo + clamped(entry.phloLimit, mostPhlo / mostShares);
    if (this.entries.length > 0 && (bytes > mostBytes || phlo > mostPhlo)) {
      this.isFull = true;
      return;
    }
    this.entries.push(entry);
    this.#bytes = bytes;
    this.#phlo = phlo;
    if (this.entries.length >= deploys) this.isFull = true;
  }
}

function clamped(phloLimit: bigint, most: bigint): bigint {
  if (phloLimit < 0n) return 0n;
  return phloLimit < most ? phloLimit : most;
}
