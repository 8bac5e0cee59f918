import { CommEvent, type ConsumeEvent, type Event, type ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { commSources } from "../event/comm.js";
import type { Datum } from "../leaf/Datum.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { NewDatum } from "./candidates.js";
import type { GroupCell } from "./cells.js";
import { anyLook, guardedLook, type Looks, looksOfData, playLooks, valuesOfData } from "./looks.js";
import type { ConsumeMatch, ProduceMatch } from "./Space.js";
import { type Meeting, matchOf, noPlace, TupleSpace } from "./TupleSpace.js";

/** The facts of a group before its continuations are tried with a new datum. */
interface Trial {
  /** Those that the new datum may fill. */
  readonly binds: readonly number[];
  /** As of {@link HotStore}. */
  readonly isTried: boolean;
  readonly isStill: boolean;
  /** Whether several of the binds have the same channel. */
  readonly isRepeated: boolean;
  /** Whether only that can match which the new datum fits. */
  readonly onlyNewFits: boolean;
  /** Whether what has a guard can match all the same. */
  readonly areGuardsAsked: boolean;
}

/** By which an index finds what may match. */
function looksFor({ binds, areGuardsAsked }: Trial, { a }: Datum): readonly string[] {
  const shown = [...looksOfData(a), anyLook];
  const looks = binds.flatMap((bind) => shown.map((look) => `${bind}:${look}`));
  if (areGuardsAsked) looks.push(guardedLook);
  return looks;
}

/**
 * A tuple space that chooses freely among the data and continuations that fit, and records what it did.
 *
 * If several fit it takes the newest; rnode draws lots (30 §1.3).
 *
 * @spec 30 §1.5, §1.6, §3.1
 */
export class PlaySpace extends TupleSpace {
  /** Oldest first; how it is handed out depends on the dialect. */
  private log: Event[] = [];
  /** Whether events are logged; `false` where the caller does not read the log. */
  protected keepsLog = true;

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
    if (this.keepsLog) this.log.push(event);
    this.search.produced = undefined;
    const candidates = this.findGuarded(group, waiting);
    if (candidates === undefined) {
      const areOthersTried = this.hot.isTried(group);
      const isStill = this.hot.isStill(group) || this.hot.isEmpty(group);
      this.storeContinuation(operands);
      if (areOthersTried) this.hot.noteTried(group, isStill);
      return undefined;
    }
    const meeting: Meeting = { group, waiting, candidates, place: noPlace };
    this.logComm(meeting);
    this.form.rules.removeAfterConsume(candidates);
    return matchOf(meeting, event);
  }

  produce(channel: Par, data: ListParWithRandom, persist: boolean, known?: ProduceEvent): ProduceMatch | undefined {
    const produced = this.produceOperands(channel, data, persist, known);
    const { cell, datum } = produced;
    if (this.keepsLog) this.log.push(datum.source);
    const meeting = this.findMeeting(produced);
    if (meeting === undefined) {
      this.hot.putDatum(cell, datum);
      this.hot.noteAllTried(cell);
      return undefined;
    }
    this.logComm(meeting);
    this.removeAfterProduce(meeting);
    return matchOf(meeting, datum.source);
  }

  updateProduce(event: ProduceEvent): void {
    replaceProduce(this.log, event);
  }

  protected indexedBy(): Looks {
    return playLooks;
  }

  protected takeLog(): readonly Event[] {
    const { log } = this;
    this.log = [];
    return this.form.rules.isLogNewestFirst ? log.reverse() : log;
  }

  protected restoreLog(log: readonly Event[]): void {
    this.log = this.form.rules.isLogNewestFirst ? log.toReversed() : log.slice();
  }

  private findMeeting(produced: NewDatum): Meeting | undefined {
    this.search.produced = produced;
    return this.hot.findGroup(produced.cell, (group) => this.findInGroup(group, produced));
  }

  /**
   * PERF: where much waits and much lies, what did not fit before is not tried again: that would be as many matches as
   * there are pairs, for every produce. And of many that wait those are tried that may fit by the look of the datum.
   */
  private findInGroup(group: GroupCell, produced: NewDatum): Meeting | undefined {
    const waitingOnes = this.hot.continuations(group);
    const { installed } = group;
    if (waitingOnes.length === 0 && installed === undefined) return undefined;
    const trial = this.#trialOf(group, produced);
    if (trial === undefined) return undefined;
    const meet = (waiting: WaitingContinuation, place: number): Meeting | undefined => {
      if (this.#isRefused(trial, waiting, produced)) return undefined;
      const candidates = this.findGuarded(group, waiting);
      return candidates === undefined ? undefined : { group, waiting, candidates, place };
    };
    if (installed !== undefined) {
      const meeting = meet(installed, waitingOnes.length);
      if (meeting !== undefined) return meeting;
    }
    const index = trial.onlyNewFits ? this.hot.waitingIndex(group) : undefined;
    if (index !== undefined)
      return index.find(
        looksFor(trial, produced.datum),
        (place) => meet(waitingOnes[place]!, place),
        trial.binds.flatMap((bind) => valuesOfData(produced.datum.a, bind)),
      );
    for (let place = waitingOnes.length - 1; place >= 0; place -= 1) {
      const meeting = meet(waitingOnes[place]!, place);
      if (meeting !== undefined) return meeting;
    }
    return undefined;
  }

  /** @returns `undefined` where nothing that waits there can match */
  #trialOf(group: GroupCell, { cell, datum }: NewDatum): Trial | undefined {
    if (group.cells.length > 1 && this.hot.lackOf(group, cell) !== undefined) return undefined;
    const binds = group.bindsOf(cell);
    const { length } = this.hot.data(cell);
    if (length + 1 < binds.length && !datum.persist && !this.hot.hasPersistent(cell)) return undefined;
    const lies = length > 0;
    const isTried = lies && this.hot.isTried(group);
    const isStill = isTried && this.hot.isStill(group);
    const isRepeated = group.hasRepeatedChannel;
    const onlyNewFits = !lies || (isRepeated ? isStill : isTried);
    return { binds, isTried, isStill, isRepeated, onlyNewFits, areGuardsAsked: isRepeated || (lies && !isStill) };
  }

  /** Whether it has been tried with all that lies there, and the new datum brings nothing to it. */
  #isRefused(
    { binds, isTried, isStill, isRepeated }: Trial,
    waiting: WaitingContinuation,
    produced: NewDatum,
  ): boolean {
    // Where data are passed over for others, one of them may be the first that fits by now (61 §3).
    const passesOver = isRepeated || waiting.continuation.guard !== undefined;
    return (passesOver ? isStill : isTried) && !this.fits(waiting, binds, produced);
  }

  private fits({ patterns }: WaitingContinuation, binds: readonly number[], produced: NewDatum): boolean {
    const { match } = this.search;
    return binds.some((bind) => bind < patterns.length && produced.matched(patterns[bind]!, match) !== undefined);
  }

  private logComm({ waiting, candidates }: Meeting): void {
    if (!this.keepsLog) return;
    const produces = commSources(candidates);
    const timesRepeated = produces.map((produce) => this.produceCounts.of(produce.hash));
    this.log.push(new CommEvent(waiting.source, produces, timesRepeated, waiting.peeks));
  }
}

/**
 * Puts a produce with its recorded outputs in the place of the plain one, everywhere in a log.
 *
 * @spec 30 §3.3 (`updateProduce`)
 * @cost a walk of the log; called once per outside call only
 */
function replaceProduce(log: Event[], produce: ProduceEvent): void {
  for (let i = 0; i < log.length; i += 1) {
    const event = log[i]!;
    if (event.kind === "produce" && event.key === produce.key) log[i] = produce;
    if (event.kind !== "comm" || !event.produces.some(({ key }) => key === produce.key)) continue;
    const produces = event.produces.map((old) => (old.key === produce.key ? produce : old));
    log[i] = new CommEvent(event.consume, produces, event.timesRepeated, event.peeks);
  }
}
