/** Maximum number of open requests, and how many unanswered ones become free per second. */
export interface QuestionLimits {
  readonly most: number;
  readonly perSecond: number;
}

/**
 * Limits the requests to peers. An answered request makes room at once, the others in the course of time. So a peer
 * that has the blocks gets requests as fast as it answers, and blocks that no peer has cost little.
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
