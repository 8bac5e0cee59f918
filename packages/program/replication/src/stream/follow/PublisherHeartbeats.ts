import { decodeHeartbeat } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { StreamNames } from "../StreamNames.js";

/** What a publisher told of itself last. */
export interface PublisherHeartbeat {
  readonly publisher: string;
  /** When it was heard, by a clock that only goes on. */
  readonly heardMs: number;
  /** Entries of its node's log that it had not published. */
  readonly left: number;
  readonly isNodeRunning: boolean;
}

/** Of publishers that tell once a second: so many words may be lost. */
export const heartbeatTimeoutMs = 5_000;
const maxPublishers = 64;

/**
 * What the publishers of a stream tell of themselves: at the end of a stream that nobody fills one knows nothing. A
 * stream none of whose publishers ever told anything is taken for one that is filled.
 */
export class PublisherHeartbeats {
  readonly #names: StreamNames;
  readonly #listened: ReadonlySet<string> | undefined;
  readonly #signs = new Map<string, PublisherHeartbeat>();
  #isExpected = false;
  #lastMs: number | undefined;

  /** @param listened publishers that count; without, all do */
  constructor(names: StreamNames, listened?: readonly string[]) {
    this.#names = names;
    this.#listened = listened && new Set(listened);
  }

  /** What anybody may have sent. */
  take(subject: string, bytes: Uint8Array, nowMs: number): void {
    try {
      const { publisher, left, behindMs, isNodeRunning } = decodeHeartbeat(subject, bytes);
      if (subject !== this.#names.life(publisher)) return;
      if (this.#listened !== undefined && !this.#listened.has(publisher)) return;
      this.#signs.set(publisher, { publisher, heardMs: nowMs, left, isNodeRunning });
      if (this.#signs.size > maxPublishers) this.#forgetMostSilent();
      this.#isExpected = true;
      if (behindMs !== null && isNodeRunning)
        this.#lastMs = Math.max(this.#lastMs ?? Number.NEGATIVE_INFINITY, nowMs - behindMs);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
    }
  }

  /**
   * A stream was opened.
   *
   * @param subjects of those that ever told something of themselves there
   * @param newestMs when its newest message came
   */
  begin(subjects: readonly string[], newestMs: number | undefined): void {
    const listened = this.#listened && new Set([...this.#listened].map((one) => this.#names.life(one)));
    this.#isExpected ||= subjects.some((subject) => listened?.has(subject) ?? true);
    this.#lastMs ??= newestMs;
  }

  /** Until when the stream is known to have had all that its publishers had; `undefined` where nothing is known. */
  completeUntilMs(nowMs: number): number | undefined {
    if (!this.#isExpected) return nowMs;
    return this.#lastMs !== undefined && nowMs - this.#lastMs <= heartbeatTimeoutMs ? nowMs : this.#lastMs;
  }

  /** The publishers that were heard since the beginning, in the order in which they were heard first. */
  publishers(): PublisherHeartbeat[] {
    return [...this.#signs.values()];
  }

  #forgetMostSilent(): void {
    const [most] = [...this.#signs.values()].toSorted((one, other) => one.heardMs - other.heardMs);
    this.#signs.delete(most!.publisher);
  }
}
