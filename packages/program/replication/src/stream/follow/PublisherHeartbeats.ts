import { decodeHeartbeat } from "../plainMessages.js";
import { StreamError } from "../StreamError.js";
import type { StreamNames } from "../StreamNames.js";

/** The last heartbeat of a publisher. */
export interface PublisherHeartbeat {
  readonly publisher: string;
  /** When it arrived, by a monotonic clock. */
  readonly receivedMs: number;
  /** Entries of its node's log that it had not published. */
  readonly left: number;
  readonly isNodeRunning: boolean;
}

/** Publishers send a heartbeat every second; five missed ones mean that the publisher is down. */
export const heartbeatTimeoutMs = 5_000;
const maxPublishers = 64;

/**
 * Keeps the heartbeats of a stream's publishers. At the end of a stream they show whether the stream is complete. A
 * stream without any heartbeat counts as complete.
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

  /** Takes a message from any sender. */
  take(subject: string, bytes: Uint8Array, nowMs: number): void {
    try {
      const { publisher, left, behindMs, isNodeRunning } = decodeHeartbeat(subject, bytes);
      if (subject !== this.#names.life(publisher)) return;
      if (this.#listened !== undefined && !this.#listened.has(publisher)) return;
      this.#signs.set(publisher, { publisher, receivedMs: nowMs, left, isNodeRunning });
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
   * @param subjects of publishers that ever sent a heartbeat there
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

  /** Publishers with heartbeats that arrived since the beginning, in the order of their first one. */
  publishers(): PublisherHeartbeat[] {
    return [...this.#signs.values()];
  }

  #forgetMostSilent(): void {
    const [most] = [...this.#signs.values()].toSorted((one, other) => one.receivedMs - other.receivedMs);
    this.#signs.delete(most!.publisher);
  }
}

/** For a while no publisher has reported that it has published everything; or one does again. */
export interface SilenceEvent {
  readonly type: "silence";
  readonly isOver: boolean;
  readonly publishers: readonly PublisherHeartbeat[];
}

const lookMs = 1_000;

/** Reports silence, and its end, until it is disposed of. @param isConnected whether the server answers */
export function watchSilence(
  signs: PublisherHeartbeats,
  isConnected: () => boolean,
  emit: (event: SilenceEvent) => void,
): Disposable {
  let isSilent = false;
  const timer = setInterval(() => {
    const nowMs = performance.now();
    const isNow = isConnected() && signs.completeUntilMs(nowMs) !== nowMs;
    if (isNow === isSilent) return;
    // A lost server also means silence, and its loss is reported elsewhere.
    if (!isNow && !isConnected()) return;
    isSilent = isNow;
    emit({ type: "silence", isOver: !isNow, publishers: signs.publishers() });
  }, lookMs);
  return { [Symbol.dispose]: () => clearInterval(timer) };
}
