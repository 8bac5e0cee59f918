/** Default limit for all unread answers of the process, in bytes. */
const usualMostBytes = 64 << 20;
/** Bytes that a connection takes sooner than this may lie in system buffers, not yet read by the client. */
const buffersFilledMs = 1_000;
/** A reader that has read within this time is cut off only after all slower ones. */
const latelyMs = 30_000;

/** A receiver of answers that may be slow to read them: one connection, or one of several calls on it. */
export interface AnswerReader {
  /** Ends it at once: what it has not read is given up. */
  cutOff(): void;
}

/** The unread answers of a reader. */
interface Held {
  /** With how many times each was sent. */
  readonly answers: Map<Uint8Array, number>;
  readonly sinceMs: number;
  /** When something was taken that no buffer of the system had room for. */
  readMs: number | undefined;
}

/**
 * Counts the answers of the whole process that were sent and not yet read: HTTP, events, GraphQL and gRPC. An answer to
 * many readers counts once, as it is in memory once.
 *
 * When there are too many bytes, the readers that have taken nothing for longest are cut off first, and those that
 * still read, however slowly, last. An answer above the limit is sent if its reader has no other.
 *
 * @cost constant; linear in the readers when one is cut off
 */
export class UnsentAnswers {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  /** Unread answers, each with its number of readers. */
  readonly #answers = new Map<Uint8Array, number>();
  /** Readers; the one that has taken nothing for longest comes first. */
  readonly #readers = new Map<AnswerReader, Held>();
  #bytes = 0;

  /** @param nowMs monotonic */
  constructor(maxBytes: number = usualMostBytes, nowMs: () => number = () => performance.now()) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  /** Bytes of all unread answers. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Must be called before an answer is sent, and {@link sent} when it is read. */
  sending(answer: Uint8Array, reader: AnswerReader): void {
    let held = this.#readers.get(reader);
    if (held === undefined) {
      held = { answers: new Map(), sinceMs: this.#nowMs(), readMs: undefined };
      this.#readers.set(reader, held);
    }
    const times = held.answers.get(answer) ?? 0;
    held.answers.set(answer, times + 1);
    if (times > 0) return;
    const readers = this.#answers.get(answer) ?? 0;
    this.#answers.set(answer, readers + 1);
    if (readers > 0) return;
    this.#bytes += answer.length;
    if (this.#bytes > this.#maxBytes) this.#makeRoom(reader);
  }

  /** A part of an answer was taken. */
  took(reader: AnswerReader): void {
    const held = this.#readers.get(reader);
    if (held === undefined) return;
    const nowMs = this.#nowMs();
    if (nowMs - held.sinceMs >= buffersFilledMs) held.readMs = nowMs;
    this.#readers.delete(reader);
    this.#readers.set(reader, held);
  }

  sent(answer: Uint8Array, reader: AnswerReader): void {
    const held = this.#readers.get(reader);
    const times = held?.answers.get(answer);
    if (held === undefined || times === undefined) return;
    if (times > 1) held.answers.set(answer, times - 1);
    else {
      held.answers.delete(answer);
      this.#release(answer);
    }
    if (held.answers.size === 0) this.#readers.delete(reader);
    else this.took(reader);
  }

  /** Must be called when a reader has gone. */
  leave(reader: AnswerReader): void {
    const held = this.#readers.get(reader);
    if (held === undefined) return;
    this.#readers.delete(reader);
    for (const answer of held.answers.keys()) this.#release(answer);
  }

  #release(answer: Uint8Array): void {
    const readers = this.#answers.get(answer)! - 1;
    if (readers > 0) {
      this.#answers.set(answer, readers);
      return;
    }
    this.#answers.delete(answer);
    this.#bytes -= answer.length;
  }

  #makeRoom(newest: AnswerReader): void {
    const sinceMs = this.#nowMs() - latelyMs;
    for (const sparesRecent of [true, false]) {
      for (const [reader, { answers, readMs = Number.NEGATIVE_INFINITY }] of this.#readers) {
        if (this.#bytes <= this.#maxBytes) return;
        const isFirst = reader === newest && answers.size === 1;
        if (isFirst || (sparesRecent && readMs > sinceMs)) continue;
        this.leave(reader);
        reader.cutOff();
      }
    }
  }
}
