import { toHex } from "@vedette/crypto";
import type { BindPattern, ListParWithRandom, TermCodec } from "@vedette/terms";
import type { MatchDatum, SpaceMatch } from "@vedette/tuplespace";
import { must } from "../driver/Target.js";

/** A datum on a channel. */
export interface PlainDatum {
  readonly channel: number;
  readonly data: ListParWithRandom;
  readonly persist: boolean;
}

/** A continuation on one channel or more; the channels are distinct. */
export interface PlainContinuation {
  readonly id: number;
  readonly channels: readonly number[];
  readonly patterns: readonly BindPattern[];
  readonly persist: boolean;
  readonly peeks: readonly number[];
}

/** The parts of a space that depend on the network's dialect. */
export interface PlainForm {
  readonly terms: Pick<TermCodec, "encodeListParWithRandom" | "encodeBindPattern">;
  /** Whether a continuation that waits already is kept a second time. @spec 61 §3 */
  readonly storesTwice: boolean;
}

/**
 * The tuple space as two lists. It does not choose: it checks whether what a space did was allowed, and follows it.
 *
 * @spec 30 §1.5, §1.6
 */
export class ModelSpace {
  data: PlainDatum[] = [];
  continuations: PlainContinuation[] = [];
  readonly #match: MatchDatum;
  readonly #form: PlainForm;

  constructor(match: MatchDatum, form: PlainForm) {
    this.#match = match;
    this.#form = form;
  }

  copy(): ModelSpace {
    const copy = new ModelSpace(this.#match, this.#form);
    copy.data = this.data.slice();
    copy.continuations = this.continuations.slice();
    return copy;
  }

  /**
   * Follows a space that chooses freely what meets.
   *
   * @param channelsOf the numbers of the channels that the space names
   */
  produced(
    datum: PlainDatum,
    found: SpaceMatch | undefined,
    channelsOf: (match: SpaceMatch) => readonly number[],
  ): void {
    if (found === undefined)
      must(!this.continuations.some((one) => this.#isReady(one, datum)), "what is stored met nothing");
    this.followProduced(datum, found, channelsOf);
  }

  /** As {@link produced}, for a space that takes its matches from a log. */
  followProduced(
    datum: PlainDatum,
    found: SpaceMatch | undefined,
    channelsOf: (match: SpaceMatch) => readonly number[],
  ): void {
    if (found === undefined) {
      this.data.push(datum);
      return;
    }
    const channels = channelsOf(found);
    const at = this.continuations.findIndex((one) => this.#isThat(one, found, channels));
    must(at >= 0, "a produce met a continuation that was waiting");
    must(channels.includes(datum.channel), "a produce met a continuation of its channel");
    this.#take(found, channels, datum);
    if (!found.persistent) this.continuations.splice(at, 1);
  }

  consumed(waiting: PlainContinuation, found: SpaceMatch | undefined): void {
    if (found === undefined) must(!this.#isReady(waiting, undefined), "what is stored met nothing");
    this.followConsumed(waiting, found);
  }

  followConsumed(waiting: PlainContinuation, found: SpaceMatch | undefined): void {
    if (found === undefined) {
      if (this.#form.storesTwice || !this.continuations.some((one) => this.#isSame(one, waiting)))
        this.continuations.push(waiting);
      return;
    }
    must(found.persistent === waiting.persist, "a consume's match states whether it is persistent");
    must(found.peek === waiting.peeks.length > 0, "a consume's match states whether it only peeks");
    this.#take(found, waiting.channels, undefined);
  }

  #isReady({ channels, patterns }: PlainContinuation, produced: PlainDatum | undefined): boolean {
    const data = produced === undefined ? this.data : [...this.data, produced];
    return channels.every((channel, index) =>
      data.some((datum) => datum.channel === channel && this.#match(patterns[index]!, datum.data) !== undefined),
    );
  }

  /** A matched datum was there, fits, and is no longer there unless it stays. */
  #take({ results, patterns }: SpaceMatch, channels: readonly number[], produced: PlainDatum | undefined): void {
    must(results.length === channels.length, "a match has a datum for each bind");
    for (const [index, { removed, matched, persistent }] of results.entries()) {
      const channel = channels[index]!;
      const bytes = this.#dataText(removed);
      const isThere = (datum: PlainDatum) =>
        datum.channel === channel && datum.persist === persistent && this.#dataText(datum.data) === bytes;
      const expected = this.#match(patterns[index]!, removed);
      must(expected !== undefined, "a datum that was matched fits its pattern");
      const isSame = this.#dataText(expected) === this.#dataText(matched);
      must(isSame, "a match gives what the pattern captures");
      if (produced !== undefined && isThere(produced)) continue;
      const at = this.data.findIndex(isThere);
      must(at >= 0, "a datum that was matched was stored");
      if (!persistent) this.data.splice(at, 1);
    }
  }

  #isSame(one: PlainContinuation, other: PlainContinuation): boolean {
    const textOf = ({ id, channels, patterns, persist, peeks }: PlainContinuation) =>
      [id, channels, patterns.map((pattern) => this.#patternText(pattern)), persist, peeks].join(" ");
    return textOf(one) === textOf(other);
  }

  #isThat(one: PlainContinuation, found: SpaceMatch, channels: readonly number[]): boolean {
    const { continuation } = found;
    if (continuation.kind !== "SystemContinuation" || Number(continuation.bodyRef) !== one.id) return false;
    if (one.persist !== found.persistent || one.channels.join() !== channels.join()) return false;
    if (one.peeks.join() !== found.peeks.join()) return false;
    return one.patterns.every(
      (pattern, index) => this.#patternText(pattern) === this.#patternText(found.patterns[index]!),
    );
  }

  #dataText(data: ListParWithRandom): string {
    return toHex(this.#form.terms.encodeListParWithRandom(data));
  }

  #patternText(pattern: BindPattern): string {
    return toHex(this.#form.terms.encodeBindPattern(pattern));
  }
}
