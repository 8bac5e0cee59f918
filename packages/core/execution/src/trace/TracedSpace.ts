import type { ConsumeEvent, ProduceEvent } from "@vedette/protocol";
import type { BindPattern, ListParWithRandom, Par, TaggedContinuation } from "@vedette/terms";
import {
  type ConsumeMatch,
  ExploreSpace,
  PlaySpace,
  type ProduceMatch,
  ReplaySpace,
  type Space,
  type SpaceMatch,
} from "@vedette/tuplespace";

/** Receives the operations of a tuple space. */
export interface SpaceListener {
  produced(channel: Par, data: ListParWithRandom, isPersistent: boolean): void;
  consumed(
    channels: readonly Par[],
    patterns: readonly BindPattern[],
    continuation: TaggedContinuation,
    options: { readonly isPersistent: boolean; readonly isPeek: boolean },
  ): void;
  /** @param match `undefined`: the operation waits now @param isPersistent whether the operation is */
  ended(match: SpaceMatch | undefined, isPersistent: boolean): void;
}

/**
 * A space that reports each operation, with the very objects that the evaluation uses, to a listener that is set.
 *
 * @param Base a class of spaces
 */
// biome-ignore lint/suspicious/noExplicitAny: what TypeScript wants of a class that is made from another one
function traced<Class extends new (...args: any[]) => Space>(Base: Class) {
  return class extends Base {
    /** `undefined`: nothing is reported. */
    listener: SpaceListener | undefined = undefined;

    override produce(
      channel: Par,
      data: ListParWithRandom,
      persist: boolean,
      known?: ProduceEvent,
    ): ProduceMatch | undefined {
      this.listener?.produced(channel, data, persist);
      const match = super.produce(channel, data, persist, known);
      this.listener?.ended(match, persist);
      return match;
    }

    override consume(
      channels: readonly Par[],
      patterns: readonly BindPattern[],
      continuation: TaggedContinuation,
      persist: boolean,
      peeks: readonly number[],
      known?: ConsumeEvent,
    ): ConsumeMatch | undefined {
      this.listener?.consumed(channels, patterns, continuation, { isPersistent: persist, isPeek: peeks.length > 0 });
      const match = super.consume(channels, patterns, continuation, persist, peeks, known);
      this.listener?.ended(match, persist);
      return match;
    }
  };
}

/** A replay that reports each operation. */
export const TracedReplaySpace = traced(ReplaySpace);
/** The same of a space that nothing is kept of. */
export const TracedExploreSpace = traced(ExploreSpace);
/** The same of a space that plays. */
export const TracedPlaySpace = traced(PlaySpace);
