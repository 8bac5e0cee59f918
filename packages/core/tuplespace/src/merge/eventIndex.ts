import { toHex } from "@vedette/crypto";
import type { ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";
import type { StateView } from "../history/StateView.js";
import { type EventSet, eventSet, minus, only, union } from "./eventSet.js";

/** By how much deploys change number channels: hex of the channel hash → difference. @spec 30 §A.6 */
export type NumberDifferences = ReadonlyMap<string, bigint>;

/**
 * The facts of a log about the channels that it uses, as far as merging needs them.
 *
 * @spec 30 §A.4
 */
export interface EventIndex extends EventSets {
  readonly numberChannels: NumberDifferences;
}

/** The events of a log by what they did. @spec 30 §A.4 */
export interface EventSets {
  readonly producesLinear: EventSet<ProduceEvent>;
  readonly producesPersistent: EventSet<ProduceEvent>;
  /** Produces of COMMs that were no peeks. */
  readonly producesConsumed: EventSet<ProduceEvent>;
  readonly producesPeeked: EventSet<ProduceEvent>;
  /** Produces that put back what was there before. */
  readonly producesCopiedByPeek: EventSet<ProduceEvent>;
  readonly producesTouchingBaseJoins: EventSet<ProduceEvent>;
  readonly producesMergeable: EventSet<ProduceEvent>;
  readonly consumesLinearAndPeeks: EventSet<ConsumeEvent>;
  readonly consumesPersistent: EventSet<ConsumeEvent>;
  readonly consumesProduced: EventSet<ConsumeEvent>;
  readonly consumesMergeable: EventSet<ConsumeEvent>;
}

/** The facts of the state before a log that its index needs. */
export interface StateBefore {
  /** Whether the very datum of a produce is there. */
  hasDatumOf(produce: ProduceEvent): boolean;
  /** Whether a channel has a join with more than one channel. */
  hasWideJoin(channelHash: Uint8Array): boolean;
}

/** The index of one log. @spec 30 §A.4 */
export function eventIndex(log: readonly Event[], preState: StateView, numberChannels: NumberDifferences): EventIndex {
  const before: StateBefore = {
    hasDatumOf: (produce) => isInState(preState, produce),
    hasWideJoin: (channelHash) => hasWideJoin(preState, channelHash),
  };
  return { ...eventSets(log, before, (hash) => numberChannels.has(toHex(hash))), numberChannels };
}

/**
 * The events of one log by what they did.
 *
 * @param isNumber whether a channel (its hash) is a number channel
 * @spec 30 §A.4
 */
export function eventSets(
  log: readonly Event[],
  before: StateBefore,
  isNumber: (channelHash: Uint8Array) => boolean,
): EventSets {
  const produces = log.filter((event) => event.kind === "produce");
  const consumes = log.filter((event) => event.kind === "consume");
  const comms = log.filter((event) => event.kind === "comm");
  const producesOf = (isPeek: boolean) =>
    eventSet(comms.filter(({ peeks }) => peeks.length > 0 === isPeek).flatMap((comm) => comm.produces));
  const all = eventSet(produces);
  const producesConsumed = producesOf(false);
  const producesPeeked = producesOf(true);
  return {
    producesLinear: only(all, ({ persistent }) => !persistent),
    producesPersistent: only(all, ({ persistent }) => persistent),
    producesConsumed,
    producesPeeked,
    producesCopiedByPeek: only(all, (produce) => before.hasDatumOf(produce)),
    producesTouchingBaseJoins: only(all, ({ channelsHash }) => before.hasWideJoin(channelsHash)),
    producesMergeable: only(union(all, producesConsumed, producesPeeked), (produce) => isNumber(produce.channelsHash)),
    consumesLinearAndPeeks: eventSet(consumes.filter(({ persistent }) => !persistent)),
    consumesPersistent: eventSet(consumes.filter(({ persistent }) => persistent)),
    consumesProduced: eventSet(comms.map((comm) => comm.consume)),
    consumesMergeable: eventSet(consumes.filter(({ channelsHashes }) => channelsHashes.some(isNumber))),
  };
}

function isInState(preState: StateView, { channelsHash, key }: ProduceEvent): boolean {
  return preState.data(channelsHash).some(({ source }) => source.key === key);
}

function hasWideJoin(preState: StateView, channelHash: Uint8Array): boolean {
  return preState.joins(channelHash).some(({ size }) => size > 1);
}

const noEvents = new Map<string, never>();

/** No events at all. */
export const noEventSets: EventSets = {
  producesLinear: noEvents,
  producesPersistent: noEvents,
  producesConsumed: noEvents,
  producesPeeked: noEvents,
  producesCopiedByPeek: noEvents,
  producesTouchingBaseJoins: noEvents,
  producesMergeable: noEvents,
  consumesLinearAndPeeks: noEvents,
  consumesPersistent: noEvents,
  consumesProduced: noEvents,
  consumesMergeable: noEvents,
};

/** The index of no events. */
export const emptyIndex: EventIndex = { ...noEventSets, numberChannels: new Map() };

/** The index of two logs taken together. @spec 30 §A.4 */
export function combineIndices(left: EventIndex, right: EventIndex): EventIndex {
  const numberChannels = addDifferences(left.numberChannels, right.numberChannels);
  return { ...combineSets(left, right), numberChannels };
}

/** The events of two logs taken together. @spec 30 §A.4 */
export function combineSets(left: EventSets, right: EventSets): EventSets {
  return {
    producesLinear: union(left.producesLinear, right.producesLinear),
    producesPersistent: union(left.producesPersistent, right.producesPersistent),
    producesConsumed: union(left.producesConsumed, right.producesConsumed),
    producesPeeked: union(left.producesPeeked, right.producesPeeked),
    // A datum that one of them created is not put back by the other, even if it looks so.
    producesCopiedByPeek: minus(
      union(left.producesCopiedByPeek, right.producesCopiedByPeek),
      producesCreated(left),
      producesCreated(right),
    ),
    producesTouchingBaseJoins: union(left.producesTouchingBaseJoins, right.producesTouchingBaseJoins),
    producesMergeable: union(left.producesMergeable, right.producesMergeable),
    consumesLinearAndPeeks: union(left.consumesLinearAndPeeks, right.consumesLinearAndPeeks),
    consumesPersistent: union(left.consumesPersistent, right.consumesPersistent),
    consumesProduced: union(left.consumesProduced, right.consumesProduced),
    consumesMergeable: union(left.consumesMergeable, right.consumesMergeable),
  };
}

/** The differences of both; 64-bit numbers wrap around. @spec 30 §A.4 */
export function addDifferences(left: NumberDifferences, right: NumberDifferences): NumberDifferences {
  if (right.size === 0) return left;
  const sum = new Map(left);
  for (const [channel, difference] of right) {
    sum.set(channel, BigInt.asIntN(64, (sum.get(channel) ?? 0n) + difference));
  }
  return sum;
}

/** @spec 30 §A.4 (`created`) */
function producesCreated(index: EventSets): EventSet<ProduceEvent> {
  return minus(union(index.producesLinear, index.producesPersistent), index.producesCopiedByPeek);
}

/** Produces with a datum that is still there at the end. @spec 30 §A.4 (`createdNotDestroyedP`) */
export function producesLeft(index: EventSets): EventSet<ProduceEvent> {
  const linear = minus(index.producesLinear, index.producesConsumed);
  return minus(union(linear, index.producesPersistent), index.producesCopiedByPeek);
}

/** Consumes that still wait at the end. @spec 30 §A.4 (`createdNotDestroyedC`) */
export function consumesLeft(index: EventSets): EventSet<ConsumeEvent> {
  return union(minus(index.consumesLinearAndPeeks, index.consumesProduced), index.consumesPersistent);
}

/** Produces on a channel with other data than before. @spec 30 §A.4 (`affectedP`) */
export function producesAffected(index: EventSets): EventSet<ProduceEvent> {
  const destroyed = minus(index.producesConsumed, producesCreated(index));
  return union(
    producesLeft(index),
    only(destroyed, ({ persistent }) => !persistent),
  );
}

/** Consumes on channels with other continuations than before. @spec 30 §A.4 (`affectedC`) */
export function consumesAffected(index: EventSets): EventSet<ConsumeEvent> {
  const created = union(index.consumesLinearAndPeeks, index.consumesPersistent);
  const destroyed = minus(index.consumesProduced, created);
  return union(
    consumesLeft(index),
    only(destroyed, ({ persistent }) => !persistent),
  );
}
