import type { PublishedMark } from "./PublisherCursor.js";
import type { PublishedStream } from "./StreamPort.js";

/** The time for which a stream keeps messages has this many parts, each between two marks. */
const parts = 64;
/** Between marks in a stream that keeps all, where they are made ever rarer. */
const usualBetweenMs = 3_600_000;
/** The share of its time that a message may lack, as two clocks measure it. */
const clockShare = 0.01;
const maxMarks = 256;

/**
 * Marks of some messages that a stream must have: those within its retention time. Where a marked one is missing, an
 * operator has removed messages (`nats stream purge`), and messages published before it may be missing too.
 *
 * @cost a mark for each 64th part of the time that messages are kept
 */
export class PublishedMarks {
  #marks: readonly PublishedMark[];

  /** @param marks the oldest first */
  constructor(marks: readonly PublishedMark[] = []) {
    this.#marks = marks;
  }

  get all(): readonly PublishedMark[] {
    return this.#marks;
  }

  /** Whether a message that is published now is to be one. */
  isDue({ keptMs }: Pick<PublishedStream, "keptMs">, nowMs: number): boolean {
    const last = this.#marks.at(-1);
    const betweenMs = Number.isFinite(keptMs) ? keptMs / parts : usualBetweenMs;
    return last === undefined || nowMs - last.atMs >= betweenMs;
  }

  add(mark: PublishedMark): void {
    // Every second one goes; the oldest one stays, as all lie behind it.
    const marks = this.#marks.length < maxMarks ? this.#marks : this.#marks.filter((_, at) => at % 2 === 0);
    this.#marks = [...marks, mark];
  }

  /** Whether a message is gone that is not too old; those that are too old are forgotten. */
  areMissedIn({ first, keptMs }: Pick<PublishedStream, "first" | "keptMs">, nowMs: number): boolean {
    this.#marks = this.#marks.filter(({ atMs }) => nowMs - atMs < keptMs * (1 - clockShare));
    return this.#marks.some(({ sequence }) => sequence < first);
  }
}
