/** The assumed duration of a transfer until one is measured. */
const usualAtFirstMs = 20;

/** Time between blocks where no option states it. */
const usualRhythmMs = 5_000;

/** The part of the rhythm in which deploys are begun; it takes as long again for others to replay what was made of them. */
const rhythmPart = 4;
/** Minimum time in which deploys are begun: a slow machine must still get a few transfers into blocks. */
const minStartMs = 1_000;
/** Bounds the start where blocks are rare. */
const maxStartMs = 5_000;

/** The first try of a deploy may take this part of the time, or as long as this many usual ones. */
const firstTryPart = 8;
const firstTryDeploys = 8;
const maxFirstTryPart = 4;

/** How the time of a block is split between deploys, in milliseconds. */
export interface PlayTimes {
  /** No deploy is begun later than this. */
  readonly beginMs: number;
  /** Deploys with familiar programs begin before this, if there are others too. */
  readonly familiarMs: number;
  readonly firstTryMs: number;
  readonly secondTryMs: number;
}

/**
 * Splits the time in which a block is made, by how often blocks come and by what the last deploys took.
 *
 * A play ends after `beginMs` and one second try: half of the rhythm.
 *
 * @spec 40 §9.5
 */
export class BlockTimeBudget {
  #usualMs = usualAtFirstMs;

  /** @param deploys that went into a block @param elapsedMs their total duration */
  note(deploys: number, elapsedMs: number): void {
    if (deploys > 0) this.#usualMs = (this.#usualMs + elapsedMs / deploys) / 2;
  }

  /** @param rhythmMs time from one block of the network to the next */
  split(rhythmMs = usualRhythmMs): PlayTimes {
    const beginMs = clamp(rhythmMs / rhythmPart, minStartMs, maxStartMs);
    const firstTryMs = clamp(this.#usualMs * firstTryDeploys, beginMs / firstTryPart, beginMs / maxFirstTryPart);
    return { beginMs, familiarMs: beginMs / 2, firstTryMs, secondTryMs: beginMs };
  }
}

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value));
}
