import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import type { WriteWithState } from "../history/WriteWithState.js";
import { ReplaySpace } from "../replay/ReplaySpace.js";
import type { ConsumeMatch, ProduceMatch, SoftCheckpoint, SpaceCheckpoint, SpaceMatch } from "../space/Space.js";

/** The maximum of events in one report; a longer trace is cut, and marked as cut. */
const maxEvents = 1_000_000;

/**
 * A replay that also reports what happens, with the terms in it: for traces of blocks.
 *
 * @spec 30 §7
 */
export class ReportingSpace extends ReplaySpace {
  private groups: (readonly ReportEvent[])[] = [];
  private current: ReportEvent[] = [];
  private collected = 0;

  override consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known?: ConsumeEvent,
  ): ConsumeMatch | undefined {
    this.report({ kind: "consume", channels, patterns, continuation, peeks });
    const match = super.consume(channels, patterns, continuation, persist, peeks, known);
    if (match !== undefined) this.reportComm(match);
    return match;
  }

  override produce(
    channel: Par,
    data: ListParWithRandom,
    persist: boolean,
    known?: ProduceEvent,
  ): ProduceMatch | undefined {
    this.report({ kind: "produce", channel, data });
    const match = super.produce(channel, data, persist, known);
    if (match !== undefined) this.reportComm(match);
    return match;
  }

  override softCheckpoint(): SoftCheckpoint {
    this.closeGroup();
    return super.softCheckpoint();
  }

  override checkpoint(also?: WriteWithState): SpaceCheckpoint {
    const checkpoint = super.checkpoint(also);
    this.takeReport();
    return checkpoint;
  }

  /** The groups of events since the last report, oldest first: one for each part of a deploy. */
  takeReport(): { readonly groups: readonly (readonly ReportEvent[])[]; readonly isCut: boolean } {
    this.closeGroup();
    const { groups } = this;
    const isCut = this.collected > maxEvents;
    this.groups = [];
    this.collected = 0;
    return { groups, isCut };
  }

  private closeGroup(): void {
    if (this.current.length === 0) return;
    this.groups.push(this.current);
    this.current = [];
  }

  private reportComm({ channels, patterns, continuation, peeks, results }: SpaceMatch): void {
    const consume: ReportConsume = { kind: "consume", channels, patterns, continuation, peeks };
    const produces = results.map(
      ({ channel, matched }): ReportProduce => ({ kind: "produce", channel, data: matched }),
    );
    this.report({ kind: "comm", consume, produces });
  }

  private report(event: ReportEvent): void {
    this.collected += 1;
    if (this.collected <= maxEvents) this.current.push(event);
  }
}

/** A consume as a reader wants it. @spec 30 §7 */
export interface ReportConsume {
  readonly kind: "consume";
  readonly channels: readonly Par[];
  readonly patterns: readonly BindPattern[];
  readonly continuation: TaggedContinuation;
  readonly peeks: readonly number[];
}

/** A produce as a reader wants it; inside of a COMM, `data` are the values that were bound. @spec 30 §7 */
export interface ReportProduce {
  readonly kind: "produce";
  readonly channel: Par;
  readonly data: ListParWithRandom;
}

/** A match: the continuation and what its binds got, in the order of the channels. @spec 30 §7 */
export interface ReportComm {
  readonly kind: "comm";
  readonly consume: ReportConsume;
  readonly produces: readonly ReportProduce[];
}

/** One event of a report. @spec 30 §7 */
export type ReportEvent = ReportConsume | ReportProduce | ReportComm;
