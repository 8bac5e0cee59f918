import { equalBytes } from "@vedette/crypto";
import type { CommEvent, ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { commSources } from "../event/comm.js";
import type { StateStore } from "../history/StateStore.js";
import type { WriteWithState } from "../history/WriteWithState.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { GuardHolds } from "../rules/SpaceRules.js";
import type { DatumCandidate, DatumFilter, NewDatum } from "../space/candidates.js";
import type { ChannelCell, GroupCell } from "../space/cells.js";
import type { Look } from "../space/finders.js";
import { type Looks, replayLooks, sourceLook } from "../space/looks.js";
import type { ConsumeMatch, MatchDatum, ProduceMatch, SpaceCheckpoint } from "../space/Space.js";
import { SpaceError } from "../space/SpaceError.js";
import { type ConsumeOperands, type Meeting, matchOf, noPlace, TupleSpace } from "../space/TupleSpace.js";
import { CommTable, fewComms, noEvent, TracedComm } from "./CommTable.js";
import { LogCursor, notInLog } from "./LogCursor.js";

const noLog: readonly Event[] = [];
const noEvents: readonly number[] = [];
/** A channel with more groups is not searched for those that lack data. */
const fewGroups = 8;

/** COMMs of the trace that a replay did not repeat. @spec 30 §3.4 (`checkReplayData`) */
export interface ReplayLeftover {
  /** Number of events that still wait for a COMM. */
  readonly keys: number;
  readonly comms: readonly CommEvent[];
  /** rnode's text. */
  readonly message: string;
}

/**
 * A tuple space that repeats a recorded log: a match happens exactly where the log has a COMM.
 *
 * @spec 30 §3.4
 */
export class ReplaySpace extends TupleSpace implements DatumFilter {
  private cursor: LogCursor;
  /** Made where the order of the log does not suffice to find what happened. */
  private table: CommTable | undefined = undefined;
  /** The COMM that is being tried, or was found; the filter of candidates reads it. */
  private tried: TracedComm | undefined = undefined;
  /** A datum with a known number in the trace. */
  #knownDatum: Datum | undefined = undefined;
  #knownEvent = noEvent;

  /** @param guard as of {@link TupleSpace} */
  constructor(stateStore: StateStore, match: MatchDatum, root: Uint8Array, guard?: GuardHolds) {
    super(stateStore, match, root, undefined, guard);
    this.cursor = new LogCursor(noLog, this.form.rules.isLogNewestFirst);
  }

  /** Prepares for the log of one deploy or system deploy; what an earlier log left is dropped. */
  rig(log: readonly Event[]): void {
    this.cursor = new LogCursor(log, this.form.rules.isLogNewestFirst);
    this.table = undefined;
    this.#knownDatum = undefined;
  }

  /** @returns the rest of the log, or `undefined` when all of it was repeated */
  checkReplayData(): ReplayLeftover | undefined {
    const keys = this.#keysLeft;
    if (keys === 0) return undefined;
    const { message } = new SpaceError({ code: "replayDataLeft", keys });
    return { keys, comms: this.#sorted.unused(), message };
  }

  consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known?: ConsumeEvent,
  ): ConsumeMatch | undefined {
    const operands = this.consumeOperands(channels, patterns, continuation, { persist, peeks, known });
    const data = this.fewestData(operands.group);
    const meeting = data.length === 0 ? undefined : this.#consumeMeeting(operands, data);
    if (meeting === undefined) {
      this.storeContinuation(operands);
      return undefined;
    }
    this.form.rules.removeAfterConsume(meeting.candidates);
    return matchOf(meeting, operands.event);
  }

  produce(channel: Par, data: ListParWithRandom, persist: boolean, known?: ProduceEvent): ProduceMatch | undefined {
    const produced = this.produceOperands(channel, data, persist, known);
    const { cell, datum } = produced;
    const meeting = this.hot.hasJoins(cell) ? this.#meetingOf(produced) : undefined;
    if (meeting === undefined) {
      this.hot.putDatum(cell, datum);
      return undefined;
    }
    this.removeAfterProduce(meeting);
    return matchOf(meeting, producedIn(this.tried!.comm, datum.source.hash) ?? datum.source);
  }

  /** Replay keeps no log. */
  updateProduce(): void {}

  /** @throws {SpaceError} `replayDataLeft` when a COMM of the trace was not repeated */
  override checkpoint(also?: WriteWithState): SpaceCheckpoint {
    const keys = this.#keysLeft;
    if (keys > 0) throw new SpaceError({ code: "replayDataLeft", keys });
    return super.checkpoint(also);
  }

  /** Whether the COMM that is being tried may take this datum. */
  allows(datum: Datum): boolean {
    if (datum === this.#knownDatum) return this.tried!.allowsKnown(datum, this.#knownEvent, this.produceCounts);
    return this.tried!.allows(datum, this.produceCounts);
  }

  /** The looks of the data that the tried COMM may take. */
  get looks(): readonly Look[] {
    return this.tried!.produceLooks;
  }

  protected indexedBy(): Looks {
    return replayLooks;
  }

  protected takeLog(): readonly Event[] {
    return noLog;
  }

  protected restoreLog(): void {}

  /** The COMMs of the log that have not been repeated, by their events. */
  get #sorted(): CommTable {
    const { log, used } = this.cursor;
    return (this.table ??= new CommTable(log, this.form.rules.commForReplay, used));
  }

  /** The number of events that still wait for a COMM. */
  get #keysLeft(): number {
    return this.table === undefined && this.cursor.isUsedUp ? 0 : this.#sorted.size;
  }

  /** The COMM of a receive that comes to data. */
  #consumeMeeting(operands: ConsumeOperands, data: readonly Datum[]): Meeting | undefined {
    const { event } = operands;
    if (this.#isInOrder) {
      const place = this.cursor.find(event.hash);
      const beside = this.cursor.commBeside(place);
      const meeting = beside === notInLog ? undefined : this.#consumeAt(place, beside, operands);
      if (meeting !== undefined) return meeting;
      if (beside === notInLog && !this.cursor.isExpected(event)) return undefined;
    }
    return this.#consumeSorted(operands, data);
  }

  /** The COMM beside a place of the log at which a receive is, where it happens now. */
  #consumeAt(place: number, beside: number, { group, waiting }: ConsumeOperands): Meeting | undefined {
    const comm = this.form.rules.commForReplay(this.cursor.commAt(beside));
    if (!equalBytes(comm.consume.hash, this.cursor.hashAt(place))) return undefined;
    this.search.filter = this;
    this.search.produced = undefined;
    this.#knownDatum = undefined;
    const candidates = this.#findDataOf(new TracedComm(comm, noEvents, noEvent, beside), group, waiting);
    return candidates === undefined ? undefined : this.#usedAt(beside, { group, waiting, candidates, place: noPlace });
  }

  /** The first COMM of the table with a receive that happens now. */
  #consumeSorted(operands: ConsumeOperands, data: readonly Datum[]): Meeting | undefined {
    const { group, waiting, event } = operands;
    const number = this.#sorted.find(event);
    const candidates = number === noEvent ? undefined : this.findData(this.#sorted, number, operands, data);
    if (candidates === undefined) return undefined;
    return this.#usedSorted(number, { group, waiting, candidates, place: noPlace });
  }

  /** The COMM of a datum that comes to where something may wait. */
  #meetingOf(produced: NewDatum): Meeting | undefined {
    const { cell, datum } = produced;
    if (this.#isInOrder) {
      const place = this.cursor.find(datum.source.hash);
      const beside = this.cursor.commBeside(place);
      const meeting = beside === notInLog ? undefined : this.#meetingAt(place, beside, produced);
      if (meeting !== undefined) return meeting;
      if (beside === notInLog && (this.#isLackingAround(cell) || !this.cursor.isExpected(datum.source)))
        return undefined;
    }
    const number = this.#sorted.find(datum.source);
    const meeting = number === noEvent ? undefined : this.findMeeting(this.#sorted, number, produced);
    return meeting === undefined ? undefined : this.#usedSorted(number, meeting);
  }

  /** The COMM beside a place of the log at which a datum is, where it happens now. */
  #meetingAt(place: number, beside: number, produced: NewDatum): Meeting | undefined {
    const comm = this.form.rules.commForReplay(this.cursor.commAt(beside));
    // PERF: mostly the very hash of the log, where that of the datum would have to be compared.
    const found = producedIn(comm, this.cursor.hashAt(place));
    if (found === undefined) return undefined;
    this.search.filter = this;
    this.search.produced = produced;
    this.#knownDatum = produced.datum;
    this.#knownEvent = place;
    const onlyProduce = comm.produces.length === 1 ? place : noEvent;
    const meeting = this.#findMeetingOf(new TracedComm(comm, noEvents, onlyProduce, beside), produced);
    return meeting === undefined ? undefined : this.#usedAt(beside, meeting);
  }

  /** Whether the order of the log has sufficed so far. */
  get #isInOrder(): boolean {
    return this.table === undefined && !this.cursor.isLost;
  }

  /** Notes that the tried COMM, which is at a place of the log, happens; `undefined` where it was another one. */
  #usedAt(place: number, meeting: Meeting): Meeting | undefined {
    const { comm } = this.tried!;
    if (!isOneDatum(comm, meeting) && !this.isComm(comm, meeting, commSources(meeting.candidates))) return undefined;
    this.cursor.use(place);
    return meeting;
  }

  /** @throws {SpaceError} `commNotInTrace` */
  #usedSorted(number: number, meeting: Meeting): Meeting {
    this.tried = this.requireTraced(this.#sorted, number, meeting);
    this.#sorted.use(this.tried);
    return meeting;
  }

  /**
   * Whether all that waits on a channel lacks data on another one. Then no COMM of the log happens there now, and a
   * search for one would leave no trace: all groups have it (30 §1.10).
   */
  #isLackingAround(cell: ChannelCell): boolean {
    const joins = this.hot.joins(cell);
    if (cell.installedJoins.length > 0 || joins.length > fewGroups) return false;
    for (let i = 0; i < joins.length; i += 1) {
      const group = joins[i]!;
      if (!group.continuations.isPopulated || this.hot.lackOf(group, cell) === undefined) return false;
    }
    return true;
  }

  /** @param event its number in the trace; @param data of which one takes part in whatever happens */
  private findData(
    table: CommTable,
    event: number,
    { group, waiting }: ConsumeOperands,
    data: readonly Datum[],
  ): DatumCandidate[] | undefined {
    this.search.filter = this;
    this.search.produced = undefined;
    const only = table.only(event) ?? (data.length === 1 ? this.#onlyOf(table, data[0]!) : undefined);
    if (only !== undefined) return only.events.includes(event) ? this.#findDataOf(only, group, waiting) : undefined;
    for (const traced of table.listedWith(event, data)) {
      const candidates = this.#findDataOf(traced, group, waiting);
      if (candidates !== undefined) return candidates;
    }
    return undefined;
  }

  /** The only COMM of the trace in which a datum takes part. */
  #onlyOf(table: CommTable, datum: Datum): TracedComm | undefined {
    const event = table.find(datum.source);
    if (event === noEvent) return undefined;
    this.#knownDatum = datum;
    this.#knownEvent = event;
    return table.only(event);
  }

  #findDataOf(traced: TracedComm, group: GroupCell, waiting: WaitingContinuation): DatumCandidate[] | undefined {
    if (traced.remaining === 0) return undefined;
    const { rules } = this.form;
    this.tried = traced;
    if (rules.guardsReplayedConsume) return this.findGuarded(group, waiting);
    return rules.findCandidates(this.search, group, waiting.patterns);
  }

  /** The data of that channel of a group on which the fewest lie: one of them takes part in whatever happens there. */
  private fewestData({ cells }: GroupCell): readonly Datum[] {
    let fewest = this.hot.data(cells[0]!);
    for (let i = 1; i < cells.length; i += 1) {
      const data = this.hot.data(cells[i]!);
      if (data.length < fewest.length) fewest = data;
    }
    return fewest;
  }

  /** @param event its number in the trace */
  private findMeeting(table: CommTable, event: number, produced: NewDatum): Meeting | undefined {
    this.search.filter = this;
    this.search.produced = produced;
    this.#knownDatum = produced.datum;
    this.#knownEvent = event;
    const only = table.only(event);
    if (only !== undefined) return this.#findMeetingOf(only, produced);
    for (const traced of this.possible(table, event, produced)) {
      const meeting = this.#findMeetingOf(traced, produced);
      if (meeting !== undefined) return meeting;
    }
    return undefined;
  }

  #findMeetingOf(traced: TracedComm, { cell }: NewDatum): Meeting | undefined {
    if (traced.remaining === 0) return undefined;
    this.tried = traced;
    return this.hot.findGroup(cell, (group) => this.findInGroup(traced, group));
  }

  /** The COMMs with a receive that waits on the channel, if few do. */
  private possible(table: CommTable, event: number, { cell }: NewDatum): readonly TracedComm[] {
    const listed = table.listed(event);
    if (listed.length <= fewComms) return listed;
    const groups = [...cell.installedJoins, ...this.hot.joins(cell)];
    const waiting: WaitingContinuation[] = [];
    for (const group of groups) {
      const there = this.hot.peekContinuations(group);
      if (waiting.length + there.length > fewComms) return listed;
      if (group.installed !== undefined) waiting.push(group.installed);
      waiting.push(...there);
    }
    const possible = table.listedWith(event, waiting);
    // A failed try of the first one leaves a trace of every group (30 §1.10).
    const first = table.firstOfMany(event);
    if (possible[0] !== first) for (const group of groups) this.hot.continuations(group);
    return possible;
  }

  private findInGroup({ comm }: TracedComm, group: GroupCell): Meeting | undefined {
    const waitingOnes = this.hot.continuations(group);
    const meet = (waiting: WaitingContinuation, place: number): Meeting | undefined => {
      if (!equalBytes(waiting.source.hash, comm.consume.hash)) return undefined;
      const candidates = this.findGuarded(group, waiting);
      return candidates === undefined ? undefined : { group, waiting, candidates, place };
    };
    const met = group.installed === undefined ? undefined : meet(group.installed, waitingOnes.length);
    if (met !== undefined) return met;
    const index = this.hot.waitingIndex(group);
    if (index !== undefined) return index.find([sourceLook(comm.consume)], (place) => meet(waitingOnes[place]!, place));
    for (let place = waitingOnes.length - 1; place >= 0; place -= 1) {
      const meeting = meet(waitingOnes[place]!, place);
      if (meeting !== undefined) return meeting;
    }
    return undefined;
  }

  /**
   * Finds the COMM that really happened among those of the trace. Nearly always it is the one that was tried.
   *
   * @throws {SpaceError} `commNotInTrace`
   */
  private requireTraced(table: CommTable, event: number, meeting: Meeting): TracedComm {
    if (this.#isTried(meeting)) return this.tried!;
    const produces = commSources(meeting.candidates);
    const listed = table.listed(event);
    const other = listed.find((traced) => traced.remaining > 0 && this.isComm(traced.comm, meeting, produces));
    if (other !== undefined) return other;
    const hashes = produces.map(({ hash }) => hash);
    throw new SpaceError({ code: "commNotInTrace", consume: meeting.waiting.source.hash, produces: hashes });
  }

  #isTried(meeting: Meeting): boolean {
    const { comm } = this.tried!;
    if (isOneDatum(comm, meeting) && equalBytes(comm.consume.hash, meeting.waiting.source.hash)) return true;
    return this.isComm(comm, meeting, commSources(meeting.candidates));
  }

  private isComm(comm: CommEvent, { waiting }: Meeting, produces: readonly ProduceEvent[]): boolean {
    const { peeks } = waiting;
    if (comm.produces.length !== produces.length || comm.peeks.length !== peeks.length) return false;
    if (!equalBytes(comm.consume.hash, waiting.source.hash)) return false;
    for (let i = 0; i < peeks.length; i += 1) if (comm.peeks[i] !== peeks[i]) return false;
    for (let i = 0; i < produces.length; i += 1) {
      const { hash } = produces[i]!;
      if (!equalBytes(comm.produces[i]!.hash, hash)) return false;
      if (comm.timesRepeated[i] !== this.produceCounts.of(hash)) return false;
    }
    return true;
  }
}

/** PERF: that the datum is the one of the COMM, and comes as often as there, was checked when it was found. */
function isOneDatum({ produces, peeks }: CommEvent, { waiting, candidates }: Meeting): boolean {
  return (
    candidates.length === 1 &&
    produces.length === 1 &&
    !candidates[0]!.datum.persist &&
    waiting.peeks.length === 0 &&
    peeks.length === 0
  );
}

/** The produce with a hash, as a COMM has it. */
function producedIn({ produces }: CommEvent, hash: Uint8Array): ProduceEvent | undefined {
  for (let i = 0; i < produces.length; i += 1) if (equalBytes(produces[i]!.hash, hash)) return produces[i];
  return undefined;
}
