/**
 * How many deploys a block may take so that its execution stays within a time, by what the last ones took.
 */
export class Pace {
  readonly #targetMs: number;
  #deployMs: number | undefined;

  /** @param targetMs how long the deploys of a block should take */
  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  note(deploys: number, elapsedMs: number): void {
    if (deploys === 0) return;
    const deployMs = elapsedMs / deploys;
    this.#deployMs = this.#deployMs === undefined ? deployMs : (this.#deployMs + deployMs) / 2;
  }

  /** At least one. */
  get deploys(): number {
    if (this.#deployMs === undefined || this.#deployMs <= 0) return Number.MAX_SAFE_INTEGER;
    return Math.max(1, Math.floor(this.#targetMs / this.#deployMs));
  }
}
