import type { BlockMetadata } from "../dag/BlockMetadata.js";

/** How far ahead of the own clock a block may be. @spec 40 §11 */
const driftMs = 15_000;
/** A step of the clock that is worth a word. */
const jumpMs = 5_000;

/**
 * The timestamp of a new block: now, but not before any parent.
 *
 * Ours: the reference takes the time of day as it is, so that with a clock that lags the own block is invalid.
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

/** Notices when the time of day is moved. */
export class ClockWatch {
  #offsetMs: number | undefined;

  /** @returns by how much it was moved since the last call, when that is worth a word */
  look(wallMs: number, monotonicMs: number): number | undefined {
    const offsetMs = wallMs - monotonicMs;
    const byMs = this.#offsetMs === undefined ? 0 : offsetMs - this.#offsetMs;
    this.#offsetMs = offsetMs;
    return Math.abs(byMs) > jumpMs ? byMs : undefined;
  }
}
