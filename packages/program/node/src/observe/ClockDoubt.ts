import type { ChainEvent } from "@vedette/chain";
import { dropOldest } from "@vedette/errors";
import { type Block, hashKey } from "@vedette/protocol";
import type { SyncEvent } from "@vedette/sync";
import type { FoundCondition } from "./Conditions.js";

/** Blocks seen longer ago do not show the present state. */
const windowMs = 600_000;
/** A block that was just announced is no older, as far as its maker's clock and ours agree. */
const oldMs = 600_000;
const maxAnnounced = 1_000;
/** How far ahead of the own clock a block may be. @spec 40 §11 */
const driftMs = 15_000;

/** Stakes by validator. */
export interface Stakes {
  readonly stakes: ReadonlyMap<string, bigint>;
  readonly total: bigint;
}

/** The clocks with which the times of blocks are compared. */
export interface ClockDoubtOptions {
  /** The clock of this machine, in Unix milliseconds. */
  readonly wallMs: () => number;
  /** A clock that is never set, in milliseconds. */
  readonly evenMs: () => number;
  /** Whether a validator has stake. Only its blocks count, since any key can sign blocks. */
  readonly isBonded: (validatorKey: string) => boolean;
}

interface Seen {
  readonly atMs: number;
  /** By how much the block's time lies before this machine's; negative: after it. */
  readonly ageMs: number;
}

/**
 * Compares this machine's clock with the times of new blocks: where those of more than half of the stake are refused
 * since they lie in the future, it is behind; where they are long past when they are announced, it is ahead.
 *
 * @spec 50 §6.8
 */
export class ClockDoubt {
  readonly #use: ClockDoubtOptions;
  /** Blocks that a peer announced and that are not judged yet. */
  readonly #announced = new Set<string>();
  /** The last new block of each validator. */
  readonly #seen = new Map<string, Seen>();

  constructor(use: ClockDoubtOptions) {
    this.#use = use;
  }

  onSyncEvent(event: SyncEvent): void {
    if (event.type !== "hashAccepted" || event.kind !== "broadcast") return;
    this.#announced.add(hashKey(event.hash));
    dropOldest(this.#announced, maxAnnounced);
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type === "blockAdded") {
      const wasAnnounced = this.#announced.delete(hashKey(event.block.hash));
      if (wasAnnounced) this.#note(event.block);
      // A fetched block shows only that its maker's times are no longer in the future.
      else this.#seen.delete(hashKey(event.block.sender));
    } else if (event.type === "blockRefused" && event.status.status === "InvalidTimestamp") {
      const { timestamp, notAfter } = event.status;
      if (timestamp > notAfter) this.#note(event.block);
    }
  }

  /** @param bonds of the last final block */
  find({ stakes, total }: Stakes): FoundCondition | undefined {
    const nowMs = this.#use.evenMs();
    const byStake = (holds: (seen: Seen) => boolean) => {
      const ages: number[] = [];
      let stake = 0n;
      for (const [validator, seen] of this.#seen) {
        if (nowMs - seen.atMs > windowMs || !holds(seen)) continue;
        stake += stakes.get(validator) ?? 0n;
        ages.push(seen.ageMs);
      }
      return 2n * stake > total ? median(ages) : undefined;
    };
    const aheadMs = byStake(({ ageMs }) => ageMs < -driftMs);
    if (aheadMs !== undefined)
      return {
        code: "clockBehind",
        reason: `new blocks are dated ${spanText(-aheadMs)} later than this machine's clock`,
      };
    const agoMs = byStake(({ ageMs }) => ageMs > oldMs);
    if (agoMs === undefined) return undefined;
    return { code: "clockAhead", reason: `new blocks are dated ${spanText(agoMs)} earlier than this machine's clock` };
  }

  #note({ sender, header }: Block): void {
    const { wallMs, evenMs, isBonded } = this.#use;
    const key = hashKey(sender);
    if (isBonded(key)) this.#seen.set(key, { atMs: evenMs(), ageMs: wallMs() - Number(header.timestamp) });
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}

function spanText(ms: number): string {
  return ms < 120_000 ? `${Math.round(ms / 1_000)} s` : `${Math.round(ms / 60_000)} min`;
}
