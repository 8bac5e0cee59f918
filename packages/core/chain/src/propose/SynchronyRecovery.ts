/** The settings of a validator for the time while the synchrony constraint blocks it. @spec 61 §17.2 */
export interface SynchronyRecoverySettings {
  /** How long it must have been held up before it may pass once, in milliseconds. */
  readonly stallWindowMs: number;
  /** From one pass to the next, in milliseconds. */
  readonly cooldownMs: number;
  /** Passes in one stall window; 0: none ever. */
  readonly maxBypasses: number;
  /** Whether messages of others since the last finalized block may count instead. */
  readonly countsFromFinalized: boolean;
  /** Heights from the last finalized block to the own last one up to which it may. */
  readonly maxFinalizedDistance: bigint;
}

/**
 * Lets a validator pass the synchrony constraint that has been held up for long.
 *
 * @spec 61 §17.2
 */
export class SynchronyRecovery {
  readonly settings: SynchronyRecoverySettings;
  #heldUpSinceMs: number | undefined;
  #passes = 0;
  #lastPassMs = Number.NEGATIVE_INFINITY;

  constructor(settings: SynchronyRecoverySettings) {
    this.settings = settings;
  }

  /** The constraint holds. */
  noteSynchronous(): void {
    this.#heldUpSinceMs = undefined;
    this.#passes = 0;
    this.#lastPassMs = Number.NEGATIVE_INFINITY;
  }

  /** Called when the constraint fails. @returns whether a block may still be made */
  passes(nowMs: number): boolean {
    const { stallWindowMs, cooldownMs, maxBypasses } = this.settings;
    this.#heldUpSinceMs ??= nowMs;
    if (nowMs - this.#heldUpSinceMs < stallWindowMs || nowMs - this.#lastPassMs < cooldownMs) return false;
    if (nowMs - this.#lastPassMs >= stallWindowMs) this.#passes = 0;
    if (this.#passes >= maxBypasses) return false;
    this.#passes += 1;
    this.#lastPassMs = nowMs;
    return true;
  }
}
