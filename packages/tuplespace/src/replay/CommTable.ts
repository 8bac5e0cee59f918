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
    /** Keys of the events under which it is listed. */
    readonly listedUnder: readonly string[],
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

/** The COMMs listed under one event; those that are used up stay in the arrays for a while. */
interface Listed {
  comms: TracedComm[];
  live: number;
  /** By the keys of all their events; made when it is first needed. */
  byEvent: Map<string, TracedComm[]> | undefined;
}

/** The keys of a COMM's events that the trace makes itself: mostly two. */
function newKeys({ consume, produces }: CommEvent, newEvents: ReadonlySet<string>): readonly string[] {
  const isConsumeNew = newEvents.has(consume.key);
  if (produces.length === 1) {
    const { key } = produces[0]!;
    if (newEvents.has(key)) return isConsumeNew ? [consume.key, key] : [key];
    return isConsumeNew ? [consume.key] : [];
  }
  const keys = isConsumeNew ? [consume.key] : [];
  for (const { key } of produces) if (newEvents.has(key)) keys.push(key);
  return keys;
}

function byEvent(comms: readonly TracedComm[]): Map<string, TracedComm[]> {
  const found = new Map<string, TracedComm[]>();
  for (const traced of comms)
    for (const { key } of [traced.comm.consume, ...traced.comm.produces]) {
      const same = found.get(key);
      if (same === undefined) found.set(key, [traced]);
      else same.push(traced);
    }
  return found;
}

/**
 * The COMMs of a trace that a replay has yet to repeat, by the events that take part in them.
 *
 * @spec 30 §3.4 (`rig`)
 */
export class CommTable {
  private readonly lists = new Map<string, Listed>();
  private liveKeys = 0;
  private count = 0;

  /** @param commForReplay how the dialect takes a COMM from a block */
  constructor(log: readonly Event[], commForReplay: (comm: CommEvent) => CommEvent) {
    const newEvents = new Set<string>();
    for (const event of log) if (event.kind !== "comm") newEvents.add(event.key);
    for (const event of log) if (event.kind === "comm") this.add(commForReplay(event), newEvents);
  }

  /** Number of events that still wait for a COMM. */
  get size(): number {
    return this.liveKeys;
  }

  /** COMMs listed under an event; skip those with nothing remaining. */
  listed(key: string): readonly TracedComm[] | undefined {
    const list = this.lists.get(key);
    if (list === undefined || list.live === 0) return undefined;
    if (list.comms.length > 2 * list.live + 8) list.comms = list.comms.filter(({ remaining }) => remaining > 0);
    return list.comms;
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
    list.byEvent ??= byEvent(comms);
    const found = new Set<TracedComm>();
    for (const { source } of items) {
      const live = (list.byEvent.get(source.key) ?? []).filter(({ remaining }) => remaining > 0);
      list.byEvent.set(source.key, live);
      for (const traced of live) found.add(traced);
    }
    return [...found].sort((left, right) => left.order - right.order);
  }

  /** Uses one occurrence up. */
  use(traced: TracedComm): void {
    traced.remaining -= 1;
    if (traced.remaining > 0) return;
    for (const key of traced.listedUnder) {
      const list = this.lists.get(key)!;
      list.live -= 1;
      if (list.live > 0) continue;
      this.lists.delete(key);
      this.liveKeys -= 1;
    }
  }

  /** The unused COMMs, each once. */
  unused(): CommEvent[] {
    const found = new Set<CommEvent>();
    for (const { comms } of this.lists.values()) {
      for (const { comm, remaining } of comms) if (remaining > 0) found.add(comm);
    }
    return [...found];
  }

  private add(comm: CommEvent, newEvents: ReadonlySet<string>): void {
    const keys = newKeys(comm, newEvents);
    if (keys.length === 0) return;
    const same = this.findEqual(comm, keys);
    if (same !== undefined) {
      same.remaining += 1;
      return;
    }
    const traced = new TracedComm(comm, keys, this.count++);
    for (const key of keys) this.list(key, traced);
  }

  /** An equal COMM is listed under the same events, so it is enough to look where the fewest are. */
  private findEqual(comm: CommEvent, keys: readonly string[]): TracedComm | undefined {
    let shortest: Listed | undefined;
    for (const key of keys) {
      const list = this.lists.get(key);
      if (list === undefined) return undefined;
      if (shortest === undefined || list.comms.length < shortest.comms.length) shortest = list;
    }
    const firstProduce = comm.produces[0]?.key;
    for (const traced of shortest!.comms) {
      if (traced.comm.produces[0]?.key === firstProduce && equalComms(traced.comm, comm)) return traced;
    }
    return undefined;
  }

  private list(key: string, traced: TracedComm): void {
    const list = this.lists.get(key);
    if (list === undefined) {
      this.lists.set(key, { comms: [traced], live: 1, byEvent: undefined });
      this.liveKeys += 1;
      return;
    }
    list.comms.push(traced);
    list.live += 1;
  }
}
