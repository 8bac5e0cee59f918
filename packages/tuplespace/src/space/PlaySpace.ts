import { CommEvent, type ConsumeEvent, type Event, type ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import { commSources } from "../event/comm.js";
import { replaceProduce } from "../event/replaceProduce.js";
import type { ConsumeMatch, ProduceMatch } from "./Space.js";
import { type Meeting, matchOf, noPlace, TupleSpace } from "./TupleSpace.js";

/**
 * A tuple space that chooses freely among the data and continuations that fit, and records what it did.
 *
 * Of several that fit it takes the newest; the reference draws lots (30 §1.3).
 *
 * @spec 30 §1.5, §1.6, §3.1
 */
export class PlaySpace extends TupleSpace {
  /** Oldest first; how it is handed out depends on the dialect. */
  private log: Event[] = [];
  /** Off where nobody will ask for the log. */
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
      this.storeContinuation(operands);
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
      return undefined;
    }
    this.logComm(meeting);
    this.removeAfterProduce(meeting);
    return matchOf(meeting, datum.source);
  }

  updateProduce(event: ProduceEvent): void {
    replaceProduce(this.log, event);
  }

  protected takeLog(): readonly Event[] {
    const log = this.form.rules.orderLog(this.log);
    this.log = [];
    return log;
  }

  protected restoreLog(log: readonly Event[]): void {
    this.log = this.form.rules.oldestFirst(log);
  }

  private findMeeting(produced: ReturnType<PlaySpace["produceOperands"]>): Meeting | undefined {
    const { cell } = produced;
    this.search.produced = produced;
    const stored = this.hot.joins(cell);
    const { installedJoins } = cell;
    for (let at = installedJoins.length + stored.length - 1; at >= 0; at -= 1) {
      const group = at >= stored.length ? installedJoins[at - stored.length]! : stored[at]!;
      const waitingOnes = this.hot.continuations(group);
      const first = group.installed === undefined ? waitingOnes.length - 1 : waitingOnes.length;
      for (let place = first; place >= 0; place -= 1) {
        const waiting = place === waitingOnes.length ? group.installed! : waitingOnes[place]!;
        const candidates = this.findGuarded(group, waiting);
        if (candidates !== undefined) return { group, waiting, candidates, place };
      }
    }
    return undefined;
  }

  private logComm({ waiting, candidates }: Meeting): void {
    if (!this.keepsLog) return;
    const produces = commSources(candidates);
    const timesRepeated = produces.map((produce) => this.produceCounter.get(produce.key) ?? 0);
    this.log.push(new CommEvent(waiting.source, produces, timesRepeated, waiting.peeks));
  }
}
