import { equalBytes } from "@vedette/crypto";
import type { CommEvent, ConsumeEvent, Event, ProduceEvent } from "@vedette/protocol";

/**
 * The number of events that are looked at for each event of a log, and in addition for a short one. A log in another
 * order takes more of them.
 */
const looks = { perEvent: 8, more: 1_000 } as const;

/** The place of an operation that a log has not, or not any more. */
export const notInLog = -1;

/**
 * Follows a log from operation to operation, in the order in which they were recorded. The COMM that an operation
 * completed is beside it.
 *
 * PERF: a replay of a log in this order need not sort its COMMs by their events beforehand.
 *
 * @spec 30 §3.1
 */
export class LogCursor {
  readonly log: readonly Event[];
  /** By the place of a COMM: 1 where it was repeated. */
  readonly used: Uint8Array;
  #commsLeft = 0;
  readonly #step: 1 | -1;
  #at: number;
  #looksLeft: number;

  constructor(log: readonly Event[], isNewestFirst: boolean) {
    this.log = log;
    this.used = new Uint8Array(log.length);
    this.#step = isNewestFirst ? -1 : 1;
    this.#at = isNewestFirst ? log.length - 1 : 0;
    let isDecided = true;
    for (let place = 0; place < log.length; place += 1) {
      const event = log[place]!;
      if (event.kind !== "comm") continue;
      this.#commsLeft += 1;
      isDecided &&= !hasOutputs(event);
    }
    this.#looksLeft = isDecided ? looks.perEvent * log.length + looks.more : 0;
  }

  /** Whether the order of the log is not followed: it is another one, or does not suffice. */
  get isLost(): boolean {
    return this.#looksLeft <= 0;
  }

  /**
   * Goes to the next operation with a hash. Behind the end of a log follows its beginning: a log has several parts.
   *
   * @returns its place, or {@link notInLog}
   */
  find(hash: Uint8Array): number {
    const { length } = this.log;
    const last = Math.max(0, Math.min(length, this.#looksLeft));
    for (let looked = 1; looked <= last; looked += 1) {
      const place = this.#at;
      const event = this.log[place]!;
      const next = place + this.#step;
      this.#at = next === length ? 0 : next < 0 ? length - 1 : next;
      if (event.kind === "comm" || !equalBytes(event.hash, hash)) continue;
      this.#looksLeft -= looked;
      return place;
    }
    this.#looksLeft -= last;
    return notInLog;
  }

  /** The place of the COMM beside an operation, unless it was repeated already; {@link notInLog} where there is none. */
  commBeside(place: number): number {
    if (place === notInLog) return notInLog;
    const beside = place + this.#step;
    return this.log[beside]?.kind === "comm" && this.used[beside] === 0 ? beside : notInLog;
  }

  /** The hash of the operation at a place. */
  hashAt(place: number): Uint8Array {
    return (this.log[place] as ConsumeEvent | ProduceEvent).hash;
  }

  commAt(place: number): CommEvent {
    return this.log[place] as CommEvent;
  }

  /** Whether an operation takes part in any COMM that was not repeated yet; also where that was not looked for. */
  isExpected({ kind, hash }: ConsumeEvent | ProduceEvent): boolean {
    const { log, used } = this;
    this.#looksLeft -= log.length;
    if (this.isLost) return true;
    for (let place = 0; place < log.length; place += 1) {
      const event = log[place]!;
      if (event.kind !== "comm" || used[place] === 1) continue;
      const { consume, produces } = event;
      if (kind === "consume" ? equalBytes(consume.hash, hash) : produces.some((one) => equalBytes(one.hash, hash)))
        return true;
    }
    return false;
  }

  /** Notes that the COMM at a place was repeated. */
  use(place: number): void {
    this.used[place] = 1;
    this.#commsLeft -= 1;
  }

  /** Whether all COMMs were repeated. */
  get isUsedUp(): boolean {
    return this.#commsLeft === 0;
  }
}

/**
 * Whether a COMM records calls to the outside. Of equal COMMs the first one has the outputs that count, wherever it is;
 * only the author of a block can make them differ.
 */
function hasOutputs({ produces }: CommEvent): boolean {
  for (let i = 0; i < produces.length; i += 1) {
    const { failed, outputValue } = produces[i]!;
    if (failed || outputValue.length > 0) return true;
  }
  return false;
}
