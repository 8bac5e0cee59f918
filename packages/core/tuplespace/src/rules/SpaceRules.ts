import type { CommEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par } from "@vedette/terms";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { DatumCandidate, Search } from "../space/candidates.js";
import type { GroupCell } from "../space/cells.js";
import type { HotStore } from "../space/HotStore.js";

/**
 * Whether the guard of a receive holds for the data that were found for it, in the order of its binds.
 *
 * @spec 61 §3, §6.3
 */
export type GuardHolds = (guard: Par, matched: readonly ListParWithRandom[]) => boolean;

/**
 * The operations of a tuple space that differ by dialect.
 *
 * @spec 30 §1, §3, 61 §3
 */
export interface SpaceRules {
  /** Finds data for every bind: for each in order the first that fits, never taking a choice back. */
  findCandidates(search: Search, group: GroupCell, patterns: readonly BindPattern[]): DatumCandidate[] | undefined;
  /** Takes the data that a consume met out of the store. */
  removeAfterConsume(candidates: readonly DatumCandidate[]): void;
  /** Takes out the data that a produce met, and the joins where nothing waits any more. */
  removeAfterProduce(hot: HotStore, group: GroupCell, candidates: readonly DatumCandidate[]): void;
  /** Whether a continuation is to be stored beside those that wait already. */
  isStored(hot: HotStore, group: GroupCell, waiting: WaitingContinuation): boolean;
  /** Whether a replay evaluates the guard of a consume again. */
  readonly guardsReplayedConsume: boolean;
  /** Whether a log is handed out with its newest event first. */
  readonly isLogNewestFirst: boolean;
  /** A COMM as replay takes it from a block. */
  commForReplay(comm: CommEvent): CommEvent;
}
