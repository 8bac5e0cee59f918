import { equalBytes } from "@vedette/crypto";
import type { CommEvent, ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { commSources } from "../event/comm.js";
import type { StateStore } from "../history/StateStore.js";
import type { WriteWithState } from "../history/WriteWithState.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { GuardHolds } from "../rules/SpaceRules.js";
import type { Candidate, DatumFilter, NewDatum } from "../space/candidates.js";
import type { GroupCell } from "../space/cells.js";
import { type Look, type Looks, replayLooks, sourceLook } from "../space/looks.js";
import type { Checkpoint, ConsumeMatch, MatchDatum, ProduceMatch } from "../space/Space.js";
import { SpaceError } from "../space/SpaceError.js";
import { type ConsumeOperands, type Meeting, matchOf, noPlace, TupleSpace } from "../space/TupleSpace.js";
import { CommTable, fewComms, noEvent, type TracedComm } from "./CommTable.js";

const noLog: readonly Event[] = [];

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
  private table: CommTable;
  /** The COMM that is being tried; the filter of candidates reads it. */
  private tried: TracedComm | undefined = undefined;
  /** A datum with a known number in the trace. */
  #knownDatum: Datum | undefined = undefined;
  #knownEvent = noEvent;

  /** @param guard as of {@link TupleSpace} */
  constructor(stateStore: StateStore, match: MatchDatum, root: Uint8Array, guard?: GuardHolds) {
    super(stateStore, match, root, undefined, guard);
    this.table = new CommTable(noLog, this.form.rules.commForReplay);
  }

  /** Prepares for the log of one deploy or system deploy; what an earlier log left is dropped. */
  rig(log: readonly Event[]): void {
    this.table = new CommTable(log, this.form.rules.commForReplay);
    this.#knownDatum = undefined;
  }

  /** @returns the rest of the log, or `undefined` when all of it was repeated */
  checkReplayData(): ReplayLeftover | undefined {
    const keys = this.table.size;
    if (keys === 0) return undefined;
    const { message } = new SpaceError({ code: "replayDataLeft", keys });
    return { keys, comms: this.table.unused(), message };
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
    const { group, waiting, event } = operands;
    const data = this.fewestData(group);
    const number = data.length === 0 ? noEvent : this.table.find(event);
    const candidates = number === noEvent ? undefined : this.findData(number, operands, data);
    if (candidates === undefined) {
      this.storeContinuation(operands);
      return undefined;
    }
    const meeting: Meeting = { group, waiting, candidates, place: noPlace };
    const traced = this.requireTraced(number, meeting);
    this.form.rules.removeAfterConsume(candidates);
    this.table.use(traced);
    return matchOf(meeting, event);
  }

  produce(channel: Par, data: ListParWithRandom, persist: boolean, known?: ProduceEvent): ProduceMatch | undefined {
    const produced = this.produceOperands(channel, data, persist, known);
    const { cell, datum } = produced;
    const number = this.hot.hasJoins(cell) ? this.table.find(datum.source) : noEvent;
    const meeting = number === noEvent ? undefined : this.findMeeting(number, produced);
    if (meeting === undefined) {
      this.hot.putDatum(cell, datum);
      return undefined;
    }
    const traced = this.requireTraced(number, meeting);
    this.removeAfterProduce(meeting);
    this.table.use(traced);
    return matchOf(meeting, traced.producedAs(datum.source.hash, number) ?? datum.source);
  }

  /** Replay keeps no log. */
  updateProduce(): void {}

  /** @throws {SpaceError} `replayDataLeft` when a COMM of the trace was not repeated */
  override checkpoint(also?: WriteWithState): Checkpoint {
    const keys = this.table.size;
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

  /** @param event its number in the trace; @param data of which one takes part in whatever happens */
  private findData(
    event: number,
    { group, waiting }: ConsumeOperands,
    data: readonly Datum[],
  ): Candidate[] | undefined {
    this.search.filter = this;
    this.search.produced = undefined;
    const only = this.table.only(event) ?? (data.length === 1 ? this.#onlyOf(data[0]!) : undefined);
    if (only !== undefined) return only.events.includes(event) ? this.#findDataOf(only, group, waiting) : undefined;
    for (const traced of this.table.listedWith(event, data)) {
      const candidates = this.#findDataOf(traced, group, waiting);
      if (candidates !== undefined) return candidates;
    }
    return undefined;
  }

  /** The only COMM of the trace in which a datum takes part. */
  #onlyOf(datum: Datum): TracedComm | undefined {
    const event = this.table.find(datum.source);
    if (event === noEvent) return undefined;
    this.#knownDatum = datum;
    this.#knownEvent = event;
    return this.table.only(event);
  }

  #findDataOf(traced: TracedComm, group: GroupCell, waiting: WaitingContinuation): Candidate[] | undefined {
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
  private findMeeting(event: number, produced: NewDatum): Meeting | undefined {
    this.search.filter = this;
    this.search.produced = produced;
    this.#knownDatum = produced.datum;
    this.#knownEvent = event;
    const only = this.table.only(event);
    if (only !== undefined) return this.#findMeetingOf(only, produced);
    for (const traced of this.possible(event, produced)) {
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
  private possible(event: number, { cell }: NewDatum): readonly TracedComm[] {
    const listed = this.table.listed(event);
    if (listed.length <= fewComms) return listed;
    const groups = [...cell.installedJoins, ...this.hot.joins(cell)];
    const waiting: WaitingContinuation[] = [];
    for (const group of groups) {
      const there = this.hot.peekContinuations(group);
      if (waiting.length + there.length > fewComms) return listed;
      if (group.installed !== undefined) waiting.push(group.installed);
      waiting.push(...there);
    }
    const possible = this.table.listedWith(event, waiting);
    // A failed try of the first one leaves a trace of every group (30 §1.10).
    const first = this.table.firstOfMany(event);
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
  private requireTraced(event: number, meeting: Meeting): TracedComm {
    if (this.isOneDatumOfTried(meeting)) return this.tried!;
    const produces = commSources(meeting.candidates);
    if (this.isComm(this.tried!, meeting, produces)) return this.tried!;
    const listed = this.table.listed(event);
    const other = listed.find((traced) => traced.remaining > 0 && this.isComm(traced, meeting, produces));
    if (other !== undefined) return other;
    const hashes = produces.map(({ hash }) => hash);
    throw new SpaceError({ code: "commNotInTrace", consume: meeting.waiting.source.hash, produces: hashes });
  }

  /** PERF: that the datum is the one of the COMM, and comes as often as there, was checked when it was found. */
  private isOneDatumOfTried({ waiting, candidates }: Meeting): boolean {
    const { comm } = this.tried!;
    return (
      candidates.length === 1 &&
      comm.produces.length === 1 &&
      !candidates[0]!.datum.persist &&
      waiting.peeks.length === 0 &&
      comm.peeks.length === 0 &&
      equalBytes(comm.consume.hash, waiting.source.hash)
    );
  }

  private isComm({ comm }: TracedComm, { waiting }: Meeting, produces: readonly ProduceEvent[]): boolean {
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
