/** Of all answers of the process. */
const usualMostBytes = 64 << 20;
/** What a connection takes sooner went into buffers of the system: nobody needs to have read it. */
const buffersFilledMs = 1_000;
/** Who has read something lately is not cut off as long as there is somebody else. */
const latelyMs = 30_000;

/** Who has been sent something and may be slow to read it: one connection, or one call of several on it. */
export interface AnswerReader {
  /** Ends it at once: what it has not read is given up. */
  cutOff(): void;
}

/** What a reader has not read. */
interface Held {
  /** With how many times each was sent. */
  readonly answers: Map<Uint8Array, number>;
  readonly sinceMs: number;
  /** When something was taken that no buffer of the system had room for. */
  readMs: number | undefined;
}

/**
 * Answers that were sent and that somebody has not read yet, of the whole process: HTTP, events, GraphQL and gRPC. One
 * that many are sent counts once, as it lies in memory once.
 *
 * When there are too many bytes, those are cut off who have taken nothing for longest; at last those who go on reading,
 * however slowly. An answer that is larger than all that is allowed is sent if its reader has no other.
 *
 * @cost constant, and where somebody is cut off grows with the readers
 */
export class UnsentAnswers {
  readonly #maxBytes: number;
  readonly #nowMs: () => number;
  /** With how many readers each has. */
  readonly #answers = new Map<Uint8Array, number>();
  /** Those first who have taken nothing for longest. */
  readonly #readers = new Map<AnswerReader, Held>();
  #bytes = 0;

  /** @param nowMs monotonic */
  constructor(maxBytes: number = usualMostBytes, nowMs: () => number = () => performance.now()) {
    this.#maxBytes = maxBytes;
    this.#nowMs = nowMs;
  }

  /** Of all answers that somebody has not read. */
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
    for (const spared of ["who read lately", "nobody"] as const) {
      for (const [reader, { answers, readMs = Number.NEGATIVE_INFINITY }] of this.#readers) {
        if (this.#bytes <= this.#maxBytes) return;
        const isFirst = reader === newest && answers.size === 1;
        if (isFirst || (spared === "who read lately" && readMs > sinceMs)) continue;
        this.leave(reader);
        reader.cutOff();
      }
    }
  }
}
