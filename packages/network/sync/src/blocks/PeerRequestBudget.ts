/** How many questions may be open, and how fast those become free again that nobody answers. */
export interface QuestionLimits {
  readonly most: number;
  readonly perSecond: number;
}

/**
 * Questions that may be put to peers now. One that is answered makes room at once, the others in the course of time, so
 * that whoever has what is asked for is asked as fast as he answers, and what nobody has costs little.
 *
 * @spec 40 §4.8
 */
export class PeerRequestBudget {
  readonly #limits: QuestionLimits;
  readonly #nowMs: () => number;
  #left: number;
  #atMs: number;

  constructor(limits: QuestionLimits, nowMs: () => number) {
    this.#limits = limits;
    this.#nowMs = nowMs;
    this.#left = limits.most;
    this.#atMs = nowMs();
  }

  /** @returns whether one more may be put; it counts then */
  take(): boolean {
    const { most, perSecond } = this.#limits;
    const now = this.#nowMs();
    this.#left = Math.min(most, this.#left + (Math.max(0, now - this.#atMs) * perSecond) / 1000);
    this.#atMs = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }

  /** One was answered. */
  giveBack(): void {
    this.#left = Math.min(this.#limits.most, this.#left + 1);
  }
}
