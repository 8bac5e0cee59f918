/** What a transfer takes, more or less, until it is measured. */
const usualDeployMs = 20;
const leastDeployMs = 0.01;

/**
 * How many deploys a block may take so that its execution stays within a time, by what the last ones took.
 */
export class Pace {
  readonly #targetMs: number;
  #deployMs = usualDeployMs;

  /** @param targetMs how long the deploys of a block should take */
  constructor(targetMs: number) {
    this.#targetMs = targetMs;
  }

  note(deploys: number, elapsedMs: number): void {
    if (deploys === 0) return;
    this.#deployMs = (this.#deployMs + elapsedMs / deploys) / 2;
  }

  /** At least one. */
  get deploys(): number {
    return Math.max(1, Math.floor(this.#targetMs / Math.max(this.#deployMs, leastDeployMs)));
  }
}
