import { type CommEvent, type ConsumeEvent, type Event, equalComms, type ProduceEvent } from "@vedette/protocol";
import type { Datum } from "../leaf/Datum.js";
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
  private looks: readonly string[] | undefined = undefined;

  constructor(
    readonly comm: CommEvent,
    /** What is listed under each of its events. */
    readonly lists: readonly Listed[],
    /** Its place in the trace: lists are in this order. */
    readonly order: number,
  ) {}

  /** Of its produces. */
  get produceLooks(): readonly string[] {
    return (this.looks ??= [...new Set(this.comm.produces.map(sourceLook))]);
  }

  /** The produce with this hash, as the trace has it. */
  producedAs(key: string): ProduceEvent | undefined {
    for (const produce of this.comm.produces) if (produce.key === key) return produce;
    return undefined;
  }

  /**
   * Whether a datum may take part in this COMM.
   *
   * @spec 30 §3.4 (`usable`)
   */
  allows(datum: Datum, produceCounter: ReadonlyMap<string, number>): boolean {
    const { produces, timesRepeated } = this.comm;
    const { key } = datum.source;
    for (let i = 0; i < produces.length; i += 1) {
      if (produces[i]!.key === key) return datum.persist || timesRepeated[i] === (produceCounter.get(key) ?? 0);
    }
    return false;
  }
}

/** Of more COMMs than these, those are looked up in which something takes part, unless there is more of that. */
export const fewComms = 8;

/** The COMMs listed under one event: of most events one or none. */
class Listed {
  live = 0;
  private only: TracedComm | undefined = undefined;
  private many: CommList | undefined = undefined;

  add(traced: TracedComm): void {
    this.live += 1;
    if (this.many !== undefined) this.many.comms.push(traced);
    else if (this.only === undefined) this.only = traced;
    else this.many = new CommList([this.only, traced]);
  }

  /** In their order; those that are used up among them. */
  get all(): readonly TracedComm[] {
    if (this.many === undefined) return this.only === undefined ? [] : [this.only];
    return this.many.all(this.live);
  }

  /** Of several the first that is not used up. */
  get first(): TracedComm | undefined {
    return this.live === 0 ? undefined : this.many?.first;
  }

  /** Of several those in which an event takes part beside the one under which they are listed. */
  with(event: ConsumeEvent | ProduceEvent): readonly TracedComm[] {
    return this.many!.with(event);
  }
}

/** Several COMMs; those that are used up stay in the array for a while. */
class CommList {
  /** Before this place all are used up. */
  private start = 0;
  /** By the keys of their other events; made when it is first needed. */
  private byPartner: Map<string, TracedComm[]> | undefined = undefined;

  constructor(public comms: TracedComm[]) {}

  all(live: number): readonly TracedComm[] {
    if (this.comms.length > 2 * live + fewComms) {
      this.comms = this.comms.filter(({ remaining }) => remaining > 0);
      this.start = 0;
    }
    return this.comms;
  }

  get first(): TracedComm {
    while (this.comms[this.start]!.remaining === 0) this.start += 1;
    return this.comms[this.start]!;
  }

  with({ kind, key }: ConsumeEvent | ProduceEvent): readonly TracedComm[] {
    this.byPartner ??= byPartner(this.comms, kind);
    const live = (this.byPartner.get(key) ?? []).filter(({ remaining }) => remaining > 0);
    this.byPartner.set(key, live);
    return live;
  }
}

/** @param kind of the events that are asked for */
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
 * @spec 30 §3.4 (`rig`)
 */
export class CommTable {
  /** Of each event that the trace makes itself. */
  private readonly lists = new Map<string, Listed>();
  private liveKeys = 0;
  private count = 0;

  /** @param commForReplay how the dialect takes a COMM from a block */
  constructor(log: readonly Event[], commForReplay: (comm: CommEvent) => CommEvent) {
    for (const event of log) if (event.kind !== "comm") this.lists.set(event.key, new Listed());
    for (const event of log) if (event.kind === "comm") this.add(commForReplay(event));
  }

  /** Number of events that still wait for a COMM. */
  get size(): number {
    return this.liveKeys;
  }

  /** COMMs listed under an event; skip those with nothing remaining. */
  listed(key: string): readonly TracedComm[] | undefined {
    const list = this.lists.get(key);
    return list === undefined || list.live === 0 ? undefined : list.all;
  }

  /** The first of several COMMs listed under an event. */
  firstOfMany(key: string): TracedComm | undefined {
    return this.lists.get(key)?.first;
  }

  /**
   * Of the COMMs listed under an event those in which one of the items takes part, in their order; all of them where
   * there are few, or many items.
   *
   * PERF: a receive that is repeated, and a datum that is peeked at, have all their COMMs under one event, and little
   * lies or waits that they can be tried with.
   *
   * @param items data, or continuations
   */
  listedWith(key: string, items: readonly { readonly source: ConsumeEvent | ProduceEvent }[]): readonly TracedComm[] {
    if (items.length === 0) return [];
    const comms = this.listed(key) ?? [];
    if (comms.length <= fewComms || items.length > fewComms) return comms;
    const list = this.lists.get(key)!;
    if (items.length === 1) return this.listedInBoth(list, items[0]!.source);
    const found = new Set(items.flatMap(({ source }) => this.listedInBoth(list, source)));
    return [...found].sort((left, right) => left.order - right.order);
  }

  /** Of several COMMs of an event those in which another one takes part: mostly the trace has few of that. */
  private listedInBoth(list: Listed, other: ConsumeEvent | ProduceEvent): readonly TracedComm[] {
    const ofOther = this.lists.get(other.key)?.all;
    if (ofOther === undefined || ofOther.length > fewComms) return list.with(other);
    return ofOther.filter(({ remaining, lists }) => remaining > 0 && lists.includes(list));
  }

  /** Uses one occurrence up. */
  use(traced: TracedComm): void {
    traced.remaining -= 1;
    if (traced.remaining > 0) return;
    for (const list of traced.lists) {
      list.live -= 1;
      if (list.live === 0) this.liveKeys -= 1;
    }
  }

  /** The unused COMMs, each once. */
  unused(): CommEvent[] {
    const found = new Set<CommEvent>();
    for (const { all } of this.lists.values())
      for (const { comm, remaining } of all) if (remaining > 0) found.add(comm);
    return [...found];
  }

  private add(comm: CommEvent): void {
    const lists = this.newLists(comm);
    if (lists.length === 0) return;
    const same = findEqual(comm, lists);
    if (same !== undefined) {
      same.remaining += 1;
      return;
    }
    const traced = new TracedComm(comm, lists, this.count++);
    for (const list of lists) {
      if (list.live === 0) this.liveKeys += 1;
      list.add(traced);
    }
  }

  /** The lists of a COMM's events that the trace makes itself: mostly two. */
  private newLists({ consume, produces }: CommEvent): readonly Listed[] {
    const lists: Listed[] = [];
    const ofConsume = this.lists.get(consume.key);
    if (ofConsume !== undefined) lists.push(ofConsume);
    for (const { key } of produces) {
      const list = this.lists.get(key);
      if (list !== undefined) lists.push(list);
    }
    return lists;
  }
}

/** An equal COMM is listed under the same events, so it is enough to look where the fewest are. */
function findEqual(comm: CommEvent, lists: readonly Listed[]): TracedComm | undefined {
  let fewest = lists[0]!;
  for (const list of lists) if (list.live < fewest.live) fewest = list;
  if (fewest.live === 0) return undefined;
  const firstProduce = comm.produces[0]?.key;
  for (const traced of fewest.all) {
    if (traced.comm.produces[0]?.key === firstProduce && equalComms(traced.comm, comm)) return traced;
  }
  return undefined;
}
