import { equalBytes } from "@vedette/crypto";
import { type CommEvent, type ConsumeEvent, type Event, equalComms, type ProduceEvent } from "@vedette/protocol";
import { HashNumbers } from "../event/HashNumbers.js";
import type { ProduceCounts } from "../event/ProduceCounts.js";
import type { Datum } from "../leaf/Datum.js";
import type { Look } from "../space/finders.js";
import { sourceLook } from "../space/looks.js";

/**
 * A COMM of the trace, once for all its equal occurrences.
 *
 * Its occurrences are listed under each of its events that the trace makes itself, and are used up under all of
 * them together, so that one number serves all lists.
 */
export class TracedComm {
  /** Occurrences that have not been used. */
  remaining = 1;
  private looks: readonly Look[] | undefined = undefined;

  constructor(
    readonly comm: CommEvent,
    /** The numbers of those of its events that the trace makes itself. */
    readonly events: readonly number[],
    /** The number of its only produce; -1 where there are others, or none that the trace makes. */
    private readonly onlyProduce: number,
    /** Its place in the trace: lists are in this order. */
    readonly order: number,
  ) {}

  /** The looks of its produces. */
  get produceLooks(): readonly Look[] {
    return (this.looks ??= [...new Set(this.comm.produces.map(sourceLook))]);
  }

  /** As {@link allows}, for a datum of a produce with a number. */
  allowsKnown(datum: Datum, event: number, counts: ProduceCounts): boolean {
    if (event !== this.onlyProduce) return this.allows(datum, counts);
    return datum.persist || this.comm.timesRepeated[0] === counts.of(datum.source.hash);
  }

  /**
   * Whether a datum may take part in this COMM.
   *
   * @spec 30 §3.4 (`usable`)
   */
  allows(datum: Datum, counts: ProduceCounts): boolean {
    const { produces, timesRepeated } = this.comm;
    const { hash } = datum.source;
    for (let i = 0; i < produces.length; i += 1) {
      if (equalBytes(produces[i]!.hash, hash)) return datum.persist || timesRepeated[i] === counts.of(hash);
    }
    return false;
  }
}

/** In a list of more COMMs, those with a certain participant are looked up, unless there are more participants. */
export const fewComms = 8;

/** The number of an event that the trace does not have. */
export const noEvent = -1;

const none: readonly TracedComm[] = [];

/** Several COMMs listed under one event; those that are used up stay in the array for a while. */
class CommList {
  /** Before this place all are used up. */
  #start = 0;
  /** By their other events; made when it is first needed. */
  #byPartner: Map<string, TracedComm[]> | undefined = undefined;
  /** By all that equal COMMs have in common; made when it is first needed. */
  #byContent: Map<string, TracedComm> | undefined = undefined;

  #comms: TracedComm[];

  constructor(comms: TracedComm[]) {
    this.#comms = comms;
  }

  add(traced: TracedComm): void {
    this.#comms.push(traced);
    this.#byContent?.set(contentOf(traced.comm), traced);
  }

  /** In their order; those that are used up among them. */
  all(live: number): readonly TracedComm[] {
    if (this.#comms.length > 2 * live + fewComms) {
      this.#comms = this.#comms.filter(({ remaining }) => remaining > 0);
      this.#start = 0;
    }
    return this.#comms;
  }

  /** The first that is not used up. */
  get first(): TracedComm {
    while (this.#comms[this.#start]!.remaining === 0) this.#start += 1;
    return this.#comms[this.#start]!;
  }

  /** Those in which an event takes part beside the one under which they are listed. */
  with({ kind, key }: ConsumeEvent | ProduceEvent): readonly TracedComm[] {
    this.#byPartner ??= byPartner(this.#comms, kind);
    const found = this.#byPartner.get(key);
    if (found === undefined) return none;
    const live = found.filter(({ remaining }) => remaining > 0);
    this.#byPartner.set(key, live);
    return live;
  }

  findEqual(comm: CommEvent): TracedComm | undefined {
    if (this.#comms.length <= fewComms) return this.#comms.find((traced) => equalComms(traced.comm, comm));
    this.#byContent ??= new Map(this.#comms.map((traced) => [contentOf(traced.comm), traced]));
    return this.#byContent.get(contentOf(comm));
  }
}

function contentOf({ consume, produces, timesRepeated, peeks }: CommEvent): string {
  return `${consume.key.length} ${consume.key} ${produces.map(({ key }, at) => `${key.length} ${key} ${timesRepeated[at]}`)} ${peeks}`;
}

/** @param kind of the requested events */
function byPartner(comms: readonly TracedComm[], kind: "consume" | "produce"): Map<string, TracedComm[]> {
  const found = new Map<string, TracedComm[]>();
  for (const traced of comms)
    for (const { key } of kind === "consume" ? [traced.comm.consume] : traced.comm.produces) {
      const same = found.get(key);
      if (same === undefined) found.set(key, [traced]);
      else if (same.at(-1) !== traced) same.push(traced);
    }
  return found;
}

/**
 * The COMMs of a trace that a replay has yet to repeat, by the events that take part in them.
 *
 * PERF: events have numbers here, and most of them one COMM or none: there is no object for each of them.
 *
 * @spec 30 §3.4 (`rig`)
 */
export class CommTable {
  /** The numbers of the events that the trace itself makes. */
  readonly #numbers: HashNumbers;
  readonly #lists: (TracedComm | CommList | undefined)[];
  /** How many of the COMMs of an event are not used up. */
  readonly #live: Int32Array;
  #liveEvents = 0;
  /** PERF: the same arrays serve again and again. */
  #lastConsume: Uint8Array | undefined = undefined;
  #lastConsumeNumber = noEvent;
  #lastProduce: Uint8Array | undefined = undefined;
  #lastProduceNumber = noEvent;
  #count = 0;

  /**
   * @param commForReplay how the dialect takes a COMM from a block
   * @param used          by the place of a COMM: 1 where it was repeated already
   */
  constructor(log: readonly Event[], commForReplay: (comm: CommEvent) => CommEvent, used: Uint8Array) {
    this.#numbers = new HashNumbers(log.length);
    const numberAt = new Int32Array(log.length);
    for (let at = 0; at < log.length; at += 1) {
      const event = log[at]!;
      if (event.kind !== "comm") numberAt[at] = this.#numbers.add(event.hash);
    }
    const { length } = this.#numbers.hashes;
    this.#lists = new Array<undefined>(length).fill(undefined);
    this.#live = new Int32Array(length);
    for (let at = 0; at < log.length; at += 1) {
      const event = log[at]!;
      if (event.kind !== "comm" || used[at] === 1) continue;
      // The operation that completes a COMM is beside it.
      this.#noteNeighbour(log[at - 1], numberAt[at - 1]!);
      this.#noteNeighbour(log[at + 1], numberAt[at + 1]!);
      this.#add(commForReplay(event));
    }
  }

  /** Number of events that still wait for a COMM. */
  get size(): number {
    return this.#liveEvents;
  }

  /** The number of an event under which COMMs are listed; {@link noEvent} where there are none. */
  find({ hash }: ConsumeEvent | ProduceEvent): number {
    const event = this.#numbers.find(hash);
    return event >= 0 && this.#live[event]! > 0 ? event : noEvent;
  }

  /** COMMs listed under an event that was found; skip those with nothing remaining. */
  listed(event: number): readonly TracedComm[] {
    const list = this.#lists[event];
    if (list === undefined) return none;
    return list instanceof TracedComm ? [list] : list.all(this.#live[event]!);
  }

  /** The only COMM of an event; `undefined` where there were several. */
  only(event: number): TracedComm | undefined {
    const list = this.#lists[event];
    return list instanceof TracedComm ? list : undefined;
  }

  /** The first of several COMMs listed under an event. */
  firstOfMany(event: number): TracedComm | undefined {
    const list = this.#lists[event];
    return list instanceof CommList && this.#live[event]! > 0 ? list.first : undefined;
  }

  /**
   * Returns the COMMs listed under an event in which one of the items takes part, in their order; all of them if there
   * are few, or many items.
   *
   * PERF: a receive that is repeated, and a datum that is peeked at, have all their COMMs under one event, and little
   * lies or waits that they can be tried with.
   *
   * @param items data, or continuations
   */
  listedWith(event: number, items: readonly { readonly source: ConsumeEvent | ProduceEvent }[]): readonly TracedComm[] {
    if (items.length === 0) return none;
    const comms = this.listed(event);
    if (comms.length <= fewComms || items.length > fewComms) return comms;
    if (items.length === 1) return this.#listedInBoth(event, items[0]!.source);
    const found = new Set(items.flatMap(({ source }) => this.#listedInBoth(event, source)));
    return [...found].sort((left, right) => left.order - right.order);
  }

  /**
   * Returns, among several COMMs of an event, those in which another one takes part: mostly the trace has few of them.
   */
  #listedInBoth(event: number, other: ConsumeEvent | ProduceEvent): readonly TracedComm[] {
    const number = this.#numbers.find(other.hash);
    const ofOther = number < 0 ? undefined : this.listed(number);
    if (ofOther === undefined || ofOther.length > fewComms) return (this.#lists[event] as CommList).with(other);
    return ofOther.filter(({ remaining, events }) => remaining > 0 && events.includes(event));
  }

  /** Uses one occurrence up. */
  use(traced: TracedComm): void {
    traced.remaining -= 1;
    if (traced.remaining > 0) return;
    const { events } = traced;
    for (let i = 0; i < events.length; i += 1) {
      const event = events[i]!;
      this.#live[event]! -= 1;
      if (this.#live[event] === 0) this.#liveEvents -= 1;
    }
  }

  /** The unused COMMs, each once. */
  unused(): CommEvent[] {
    const found = new Set<CommEvent>();
    for (let event = 0; event < this.#lists.length; event += 1)
      for (const { comm, remaining } of this.listed(event)) if (remaining > 0) found.add(comm);
    return [...found];
  }

  #noteNeighbour(event: Event | undefined, number: number): void {
    if (event === undefined || event.kind === "comm") return;
    if (event.kind === "consume") {
      this.#lastConsume = event.hash;
      this.#lastConsumeNumber = number;
    } else {
      this.#lastProduce = event.hash;
      this.#lastProduceNumber = number;
    }
  }

  #add(comm: CommEvent): void {
    const events = this.#eventsOf(comm);
    if (events.length === 0) return;
    const same = this.#findEqual(comm, events);
    if (same !== undefined) {
      same.remaining += 1;
      return;
    }
    const onlyProduce = comm.produces.length === 1 ? (events[1] ?? this.#numbers.find(comm.produces[0]!.hash)) : -1;
    const traced = new TracedComm(comm, events, onlyProduce, this.#count++);
    for (let i = 0; i < events.length; i += 1) this.#list(events[i]!, traced);
  }

  #list(event: number, traced: TracedComm): void {
    if (this.#live[event] === 0) this.#liveEvents += 1;
    this.#live[event]! += 1;
    const list = this.#lists[event];
    if (list === undefined) this.#lists[event] = traced;
    else if (list instanceof TracedComm) this.#lists[event] = new CommList([list, traced]);
    else list.add(traced);
  }

  /** The events of a COMM that the trace makes itself: mostly two. */
  #eventsOf({ consume, produces }: CommEvent): readonly number[] {
    const events: number[] = [];
    if (consume.hash !== this.#lastConsume) {
      this.#lastConsume = consume.hash;
      this.#lastConsumeNumber = this.#numbers.find(consume.hash);
    }
    if (this.#lastConsumeNumber >= 0) events.push(this.#lastConsumeNumber);
    for (let i = 0; i < produces.length; i += 1) {
      const { hash } = produces[i]!;
      const event = hash === this.#lastProduce ? this.#lastProduceNumber : this.#numbers.find(hash);
      if (event >= 0) events.push(event);
    }
    return events;
  }

  /** An equal COMM is listed under the same events, so it is enough to look where the fewest are. */
  #findEqual(comm: CommEvent, events: readonly number[]): TracedComm | undefined {
    let fewest = events[0]!;
    for (let i = 1; i < events.length; i += 1) if (this.#live[events[i]!]! < this.#live[fewest]!) fewest = events[i]!;
    const list = this.#lists[fewest];
    if (list === undefined) return undefined;
    if (list instanceof CommList) return list.findEqual(comm);
    return equalComms(list.comm, comm) ? list : undefined;
  }
}
