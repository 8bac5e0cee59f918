import { equalBytes } from "@vedette/crypto";
import { CommEvent, compareProduces, isOrdered } from "@vedette/protocol";
import type { BindPattern } from "@vedette/terms";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import {
  type DatumCandidate,
  findInSharedPools,
  findInSinglePools,
  isNewDatum,
  type Search,
} from "../space/candidates.js";
import type { GroupCell } from "../space/cells.js";
import { sourceLook } from "../space/looks.js";
import type { SpaceRules } from "./SpaceRules.js";

/** The operations on f1r3node networks. @spec 61 §3 */
export const f1r3nodeRules: SpaceRules = {
  findCandidates(search: Search, group: GroupCell, patterns: readonly BindPattern[]) {
    return group.hasRepeatedChannel
      ? findInSharedPools(search, group, patterns, restInOrder)
      : findInSinglePools(search, group, patterns);
  },
  removeAfterConsume(candidates) {
    for (const each of byIndex(candidates)) removeAtIndex(each);
  },
  removeAfterProduce(hot, group, candidates) {
    for (const each of byIndex(candidates)) {
      // Quirk 61 §3: where there is nothing at the index any more, the join stays too.
      if (removeAtIndex(each)) hot.removeJoin(each.candidate.cell, group);
    }
  },
  isStored(hot, group, waiting) {
    const others = hot.continuations(group);
    // The same hash, so that all but the peeks and the order of the binds is the same.
    const isSame = (other: WaitingContinuation): boolean =>
      equalBytes(other.source.hash, waiting.source.hash) && equalBytes(other.encoding, waiting.encoding);
    const index = hot.waitingIndex(group);
    if (index === undefined) return !others.some(isSame);
    return !index.find([sourceLook(waiting.source)], (place) => isSame(others[place]!) || undefined);
  },
  guardsReplayedConsume: false,
  isLogNewestFirst: false,
  commForReplay(comm) {
    if (isOrdered(comm)) return comm;
    const times = new Map<string, number>();
    for (let i = 0; i < comm.produces.length; i += 1) times.set(comm.produces[i]!.key, comm.timesRepeated[i]!);
    const produces = comm.produces.slice().sort(compareProduces);
    return new CommEvent(
      comm.consume,
      produces,
      produces.map((produce) => times.get(produce.key)!),
      [...new Set(comm.peeks)].sort((left, right) => left - right),
    );
  },
};

function restInOrder<T>(pool: readonly T[], at: number, isPersistent: boolean): readonly T[] {
  return isPersistent ? pool : [...pool.slice(0, at), ...pool.slice(at + 1)];
}

/** A candidate and its index in the list of its channel before anything is removed: newest data come first. */
interface Indexed {
  readonly candidate: DatumCandidate;
  readonly index: number;
}

const newDatumIndex = -1;

function byIndex(candidates: readonly DatumCandidate[]): readonly Indexed[] {
  if (candidates.length === 1) return [indexed(candidates[0]!)];
  return candidates.map(indexed).sort((left, right) => left.index - right.index);
}

function indexed(candidate: DatumCandidate): Indexed {
  const { cell, place } = candidate;
  const index = isNewDatum(candidate) ? newDatumIndex : (cell.data.own ?? cell.data.history!).length - 1 - place;
  return { candidate, index };
}

/**
 * Quirk 61 §3: in ascending order, so that the index of a second datum of one channel points behind it once the first
 * is gone.
 *
 * @returns whether there was something at the index, or nothing was to be removed
 */
function removeAtIndex({ candidate: { cell, datum }, index }: Indexed): boolean {
  if (index === newDatumIndex || datum.persist) return true;
  const place = (cell.data.own ?? cell.data.history!).length - 1 - index;
  if (place < 0) return false;
  cell.data.removeAt(place);
  return true;
}
