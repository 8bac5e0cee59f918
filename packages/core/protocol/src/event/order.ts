import { compareBytes, equalBytes } from "@vedette/crypto";
import { CommEvent, type ProduceEvent } from "./Event.js";

/**
 * The order of produces inside a COMM: by channel hash, hash, persistence (false first), bytes unsigned.
 *
 * @spec 30 §3.2
 */
export function compareProduces(left: ProduceEvent, right: ProduceEvent): number {
  const byChannel = compareBytes(left.channelsHash, right.channelsHash);
  if (byChannel !== 0) return byChannel;
  const byHash = compareBytes(left.hash, right.hash);
  if (byHash !== 0) return byHash;
  return Number(left.persistent) - Number(right.persistent);
}

/**
 * Whether two COMMs are the same event: consume, produces in order, peeks and repetitions agree.
 *
 * @spec 30 §1.1
 */
export function equalComms(left: CommEvent, right: CommEvent): boolean {
  if (left === right) return true;
  const { produces, peeks } = left;
  if (produces.length !== right.produces.length || peeks.length !== right.peeks.length) return false;
  if (!equalBytes(left.consume.hash, right.consume.hash)) return false;
  for (let i = 0; i < produces.length; i += 1) {
    if (!equalBytes(produces[i]!.hash, right.produces[i]!.hash)) return false;
    if (left.timesRepeated[i] !== right.timesRepeated[i]) return false;
  }
  for (let i = 0; i < peeks.length; i += 1) if (peeks[i] !== right.peeks[i]) return false;
  return true;
}

/**
 * A COMM as replay takes it from a block: each produce once, in order, peeks as an ascending set.
 *
 * @returns the same object when it has this form already, as nearly all have
 * @spec 30 §3.3
 */
export function commForReplay(comm: CommEvent): CommEvent {
  if (isOrdered(comm)) return comm;
  // Quirk 30 §3.3: collected by hash, so that of a produce that was met twice only the last entry stays.
  const byHash = new Map<string, number>();
  for (let i = 0; i < comm.produces.length; i += 1) byHash.set(comm.produces[i]!.key, i);
  const kept = [...byHash.values()].sort((i, j) => compareProduces(comm.produces[i]!, comm.produces[j]!));
  return new CommEvent(
    comm.consume,
    kept.map((i) => comm.produces[i]!),
    kept.map((i) => comm.timesRepeated[i]!),
    [...new Set(comm.peeks)].sort((left, right) => left - right),
  );
}

/** Whether a COMM has each produce once, in order, and its peeks too; of a very long one it is not looked for. */
export function isOrdered({ produces, peeks }: CommEvent): boolean {
  return isAscending(produces) && isAscendingNumbers(peeks);
}

/** Above this many produces a COMM goes the general way, so that a hostile one costs no square of its length. */
const fewProduces = 32;

function isAscending(produces: readonly ProduceEvent[]): boolean {
  if (produces.length > fewProduces) return false;
  for (let i = 1; i < produces.length; i += 1) {
    if (compareProduces(produces[i - 1]!, produces[i]!) >= 0) return false;
    // Two entries with one hash on different channels: impossible in our own events, but a peer may write them.
    for (let j = 0; j < i; j += 1) if (equalBytes(produces[j]!.hash, produces[i]!.hash)) return false;
  }
  return true;
}

function isAscendingNumbers(numbers: readonly number[]): boolean {
  for (let i = 1; i < numbers.length; i += 1) if (numbers[i - 1]! >= numbers[i]!) return false;
  return true;
}
