/** More early pings than these, with nothing sent between them, are abuse. */
const maxStrikes = 2;
/** A ping of ours; and frames by which HTTP/2 answers a ping, and settings. */
const pingBytes = 17;
const pingAckBytes = 17;
const settingsAckBytes = 9;

/**
 * Counts the pings of a client that come too early.
 *
 * The count starts again whenever something was sent to the client since the last ping: clients measure the line by a
 * ping after DATA. What was sent is seen by the bytes that the connection has written, less those by which HTTP/2
 * acknowledges by itself, and less our own pings.
 *
 * @spec 50 §3.1
 */
export class PingStrikes {
  readonly #permitMs: number;
  #ownBytes = 0;
  #sentBytes = 0;
  #lastPermittedMs = Number.NEGATIVE_INFINITY;
  #strikes = 0;

  /** @param permitMs pings so far apart are never early */
  constructor(permitMs: number) {
    this.#permitMs = permitMs;
  }

  /** Settings came in: their acknowledgement is no answer. */
  settingsCame(): void {
    this.#ownBytes += settingsAckBytes;
  }

  /** We have sent a ping ourselves. */
  checkSent(): void {
    this.#ownBytes += pingBytes;
  }

  /** A ping came in. @param writtenBytes all that the connection has written @returns whether it is one too many */
  pingCame(writtenBytes: number, nowMs: number): boolean {
    const sentBytes = writtenBytes - this.#ownBytes;
    this.#ownBytes += pingAckBytes;
    if (sentBytes > this.#sentBytes) this.#startAgain(sentBytes);
    if (nowMs - this.#lastPermittedMs >= this.#permitMs) {
      this.#lastPermittedMs = nowMs;
      return false;
    }
    this.#strikes += 1;
    return this.#strikes > maxStrikes;
  }

  #startAgain(sentBytes: number): void {
    this.#sentBytes = sentBytes;
    this.#lastPermittedMs = Number.NEGATIVE_INFINITY;
    this.#strikes = 0;
  }
}
