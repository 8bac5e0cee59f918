import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import {
  type ConsumeMatch,
  type MatchDatum,
  type ProduceMatch,
  ReplaySpace,
  type SoftCheckpoint,
  type StateStore,
} from "@vedette/tuplespace";
import type { ExecutionDialect } from "../form/ExecutionDialect.js";
import type { DeployTransferGroups } from "./Transfer.js";
import { VaultTransferCollector } from "./VaultTransferCollector.js";

/**
 * A replay that also notes what moves between vaults.
 *
 * PERF: every block is replayed on this one. Nothing is done for an event beyond a look at its channel or its data. A
 * class between this and the replay, with hooks that the reports of blocks could use too, cost 5 to 10 % of a replay.
 *
 * @spec 41 §8.3
 */
export class TransferSpace extends ReplaySpace {
  private readonly collector: VaultTransferCollector;

  constructor(
    store: StateStore,
    match: MatchDatum,
    root: Uint8Array,
    { terms, guardHolds }: Pick<ExecutionDialect, "terms" | "guardHolds">,
  ) {
    super(store, match, root, guardHolds);
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
    this.collector.produced(channel, data);
    const match = super.produce(channel, data, persist, known);
    if (match !== undefined) this.collector.matched(match.channels[0]!, match.results[0]!.matched);
    return match;
  }

  override softCheckpoint(): SoftCheckpoint {
    this.collector.closeGroup();
    return super.softCheckpoint();
  }

  override revert(to: SoftCheckpoint): void {
    this.collector.reverted();
    super.revert(to);
  }

  /** Returns the transfers since the last call: a list for each part of a deploy. */
  takeTransfers(): DeployTransferGroups {
    return this.collector.take();
  }
}
