import { toHex } from "@vedette/crypto";
import { consumesLeft, type EventSets, producesLeft } from "./eventIndex.js";
import { intersection, minus, someOf } from "./eventSet.js";

/**
 * Whether `target` used up something that `source` made, so that it is not valid without it.
 *
 * @spec 30 §A.5
 */
export function depends(target: EventSets, source: EventSets): boolean {
  const made = minus(producesLeft(source), source.producesMergeable);
  const used = minus(target.producesConsumed, source.producesMergeable);
  if (intersection(made, used).size > 0) return true;
  return intersection(consumesLeft(source), target.consumesProduced).size > 0;
}

/** Whether two logs cannot both be part of one state. @spec 30 §A.5 */
export function conflict(left: EventSets, right: EventSets): boolean {
  if (left.producesTouchingBaseJoins.size > 0 || right.producesTouchingBaseJoins.size > 0) return true;
  return isRace(left, right) || mayMeet(left, right) || mayMeet(right, left);
}

/** Both used up the same thing. */
function isRace(left: EventSets, right: EventSets): boolean {
  const consumes = minus(
    intersection(left.consumesProduced, right.consumesProduced),
    intersection(left.consumesMergeable, right.consumesMergeable),
  );
  if (someOf(consumes, ({ persistent }) => !persistent)) return true;
  const produces = minus(
    intersection(left.producesConsumed, right.producesConsumed),
    intersection(left.producesMergeable, right.producesMergeable),
  );
  return someOf(produces, ({ persistent }) => !persistent);
}

/** A datum that one left and a continuation that the other left are on one channel. */
function mayMeet(data: EventSets, continuations: EventSets): boolean {
  const channels = new Set<string>();
  for (const { channelsHash } of producesLeft(data).values()) channels.add(toHex(channelsHash));
  if (channels.size === 0) return false;
  return someOf(consumesLeft(continuations), ({ channelsHashes }) =>
    channelsHashes.some((hash) => channels.has(toHex(hash))),
  );
}
