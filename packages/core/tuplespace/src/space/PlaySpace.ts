import { CommEvent, type ConsumeEvent, type Event, type ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { commSources } from "../event/comm.js";
import { replaceProduce } from "../event/replaceProduce.js";
import type { WaitingContinuation } from "../leaf/WaitingContinuation.js";
import type { NewDatum } from "./candidates.js";
import type { GroupCell } from "./cells.js";
import { anyLook, type Looks, looksOfData, playLooks } from "./looks.js";
import type { ConsumeMatch, ProduceMatch } from "./Space.js";
import { type Meeting, matchOf, noPlace, TupleSpace } from "./TupleSpace.js";

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
      this.storeContinuation(operands);
      if (areOthersTried) this.hot.noteTried(group);
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
    const log = this.form.rules.orderLog(this.log);
    this.log = [];
    return log;
  }

  protected restoreLog(log: readonly Event[]): void {
    this.log = this.form.rules.oldestFirst(log);
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
    const { cell, datum } = produced;
    if (group.cells.length > 1 && this.hot.lackOf(group, cell) !== undefined) return undefined;
    const lies = this.hot.data(cell).length > 0;
    const isTried = lies && !group.hasRepeatedChannel && this.hot.isTried(group);
    const bind = group.cells.indexOf(cell);
    const meet = (waiting: WaitingContinuation, place: number): Meeting | undefined => {
      // Behind a guard a datum that was passed over may be the first that fits by now (61 §3).
      if (isTried && waiting.continuation.guard === undefined && !this.fits(waiting, bind, produced)) return undefined;
      const candidates = this.findGuarded(group, waiting);
      return candidates === undefined ? undefined : { group, waiting, candidates, place };
    };
    if (installed !== undefined) {
      const meeting = meet(installed, waitingOnes.length);
      if (meeting !== undefined) return meeting;
    }
    const onlyNewFits = !group.hasRepeatedChannel && (isTried || !lies);
    const index = onlyNewFits ? this.hot.waitingIndex(group) : undefined;
    if (index !== undefined) {
      const looks = [...looksOfData(datum.a), anyLook].map((look) => `${bind}:${look}`);
      return index.find(looks, (place) => meet(waitingOnes[place]!, place));
    }
    for (let place = waitingOnes.length - 1; place >= 0; place -= 1) {
      const meeting = meet(waitingOnes[place]!, place);
      if (meeting !== undefined) return meeting;
    }
    return undefined;
  }

  private fits({ patterns }: WaitingContinuation, bind: number, { datum }: NewDatum): boolean {
    const pattern = patterns[bind];
    return pattern !== undefined && this.search.match(pattern, datum.a) !== undefined;
  }

  private logComm({ waiting, candidates }: Meeting): void {
    if (!this.keepsLog) return;
    const produces = commSources(candidates);
    const timesRepeated = produces.map((produce) => this.produceCounts.of(produce.hash));
    this.log.push(new CommEvent(waiting.source, produces, timesRepeated, waiting.peeks));
  }
}
