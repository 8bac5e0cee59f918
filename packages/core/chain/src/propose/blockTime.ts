import type { BlockMetadata } from "../dag/BlockMetadata.js";

/** How far ahead of the own clock a block may be. @spec 40 §11 */
const driftMs = 15_000;
/** A step of the clock that is worth a word. */
const jumpMs = 5_000;

/**
 * The timestamp of a new block: now, but not before any parent.
 *
 * Ours: rnode takes the time of day as it is, so that with a clock that lags the own block is invalid.
 *
 * @returns by how much the clock is behind when no honest timestamp is possible
 * @spec 40 §5.3 (check 2), §9.7
 */
export function blockTime(
  parents: readonly BlockMetadata[],
  nowMs: number,
): { readonly timestamp: bigint } | { readonly behindMs: number } {
  let timestamp = BigInt(Math.floor(nowMs));
  for (const parent of parents) if (parent.timestamp > timestamp) timestamp = parent.timestamp;
  const behindMs = Number(timestamp) - Math.floor(nowMs);
  return behindMs > driftMs ? { behindMs } : { timestamp };
}

/** A clock that was set forward may be set back by time synchronization for this long. */
const doubtMs = 60_000;

/** The facts about the time of day that are worth a report. */
export interface ClockReading {
  /** By how much it was moved since the last look, when that is worth a word. */
  readonly jumpedByMs: number | undefined;
  /**
   * It was set forward just now by more than others take: if that is a mistake, a block with this time is refused by
   * all others, and so is every further one until that time has come.
   */
  readonly isDoubtful: boolean;
}

/** Notices when the time of day is moved. */
export class ClockWatch {
  #offsetMs: number | undefined;
  #doubtUntilMs = Number.NEGATIVE_INFINITY;

  look(wallMs: number, monotonicMs: number): ClockReading {
    const offsetMs = wallMs - monotonicMs;
    const byMs = this.#offsetMs === undefined ? 0 : offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    if (byMs > driftMs) this.#doubtUntilMs = monotonicMs + doubtMs;
    else if (byMs < -jumpMs) this.#doubtUntilMs = Number.NEGATIVE_INFINITY;
    return {
      jumpedByMs: Math.abs(byMs) > jumpMs ? byMs : undefined,
      isDoubtful: monotonicMs < this.#doubtUntilMs,
    };
  }
}
