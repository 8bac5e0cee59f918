import type { FastifyReply } from "fastify";

/** Of answers to one kind of clients. */
const usualMostBytes = 64 << 20;

/** Who has been sent something and may be slow to read it. */
export interface AnswerReader {
  /** Ends the connection at once: what it has not read is given up. */
  cutOff(): void;
}

/**
 * Answers that were sent and that somebody has not read yet, of all connections together. One that many are sent counts
 * once, as it lies in memory once. When there are too many bytes, those are cut off who wait for the oldest answer.
 */
export class UnsentAnswers {
  readonly #mostBytes: number;
  /** The oldest first. */
  readonly #readers = new Map<Uint8Array, Set<AnswerReader>>();
  #bytes = 0;

  constructor(mostBytes: number = usualMostBytes) {
    this.#mostBytes = mostBytes;
  }

  /** Must be called before an answer is sent, and {@link sent} when it is read. */
  sending(answer: Uint8Array, reader: AnswerReader): void {
    const readers = this.#readers.get(answer);
    if (readers !== undefined) {
      readers.add(reader);
      return;
    }
    this.#readers.set(answer, new Set([reader]));
    this.#bytes += answer.length;
    for (const [oldest, slowest] of this.#readers) {
      if (this.#bytes <= this.#mostBytes || oldest === answer) return;
      for (const each of slowest) {
        this.leave(each);
        each.cutOff();
      }
    }
  }

  sent(answer: Uint8Array, reader: AnswerReader): void {
    const readers = this.#readers.get(answer);
    if (readers?.delete(reader) !== true || readers.size > 0) return;
    this.#readers.delete(answer);
    this.#bytes -= answer.length;
  }

  /** Must be called when a connection has ended. */
  leave(reader: AnswerReader): void {
    for (const answer of [...this.#readers.keys()]) this.sent(answer, reader);
  }
}

/** Sends an answer over HTTP; it is held until the connection has taken all of it. */
export function sendHeld(reply: FastifyReply, answer: Buffer, unsent: UnsentAnswers): FastifyReply {
  const reader: AnswerReader = { cutOff: () => void reply.raw.destroy() };
  unsent.sending(answer, reader);
  reply.raw.once("close", () => unsent.leave(reader));
  return reply.send(answer);
}
