import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import {
  type ConsumeMatch,
  type MatchDatum,
  PlaySpace,
  type ProduceMatch,
  type SoftCheckpoint,
  type StateStore,
} from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { DeployTransferGroups } from "../report/Transfer.js";
import { VaultTransferCollector } from "../report/VaultTransferCollector.js";

/**
 * A play that also notes what moves between vaults, in the parts that a replay of the same deploys has: the play makes a
 * soft checkpoint before it goes back, the replay does not.
 *
 * @spec 41 §8.2, §8.3
 */
export class NotingPlaySpace extends PlaySpace {
  private readonly collector: VaultTransferCollector;
  /** The next event begins another part, unless the one before is undone first. */
  private isPartOver = false;

  constructor(
    store: StateStore,
    match: MatchDatum,
    root: Uint8Array,
    { terms, guardHolds }: Pick<ExecutionDialect, "terms" | "guardHolds">,
  ) {
    super(store, match, root, undefined, guardHolds);
    this.collector = new VaultTransferCollector(terms);
  }

  override consume(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    persist: boolean,
    peeks: readonly number[],
    known?: ConsumeEvent,
  ): ConsumeMatch | undefined {
    this.beginPart();
    this.collector.consumed();
    const match = super.consume(channels, patterns, continuation, persist, peeks, known);
    if (match !== undefined) this.collector.matched(match.channels[0]!, match.results[0]!.matched);
    return match;
  }

  override produce(
    channel: Par,
    data: ListParWithRandom,
    persist: boolean,
    known?: ProduceEvent,
  ): ProduceMatch | undefined {
    this.beginPart();
    this.collector.produced(channel, data);
    const match = super.produce(channel, data, persist, known);
    if (match !== undefined) this.collector.matched(match.channels[0]!, match.results[0]!.matched);
    return match;
  }

  override softCheckpoint(): SoftCheckpoint {
    this.beginPart();
    this.isPartOver = true;
    return super.softCheckpoint();
  }

  override revert(to: SoftCheckpoint): void {
    this.isPartOver = false;
    this.collector.reverted();
    super.revert(to);
  }

  /** Returns the transfers since the last call: a list for each part of a deploy. */
  takeTransfers(): DeployTransferGroups {
    this.isPartOver = false;
    return this.collector.take();
  }

  private beginPart(): void {
    if (!this.isPartOver) return;
    this.isPartOver = false;
    this.collector.closeGroup();
  }
}
