/** Facts of a problem beside its sentence. */
export interface ProblemOptions extends ErrorOptions {
  readonly status?: number;
  /** The member of the request that is to blame: `body.data.term`, `params.root`, `query.cursor`. */
  readonly field?: string;
  /** Seconds after which the request may be sent again. */
  readonly retryAfterSeconds?: number;
}

/** A refusal of a route of ours, told as `application/problem+json`; the message says what to do. @spec 50 §8.7 */
export class Problem extends Error {
  readonly status: number;
  readonly field: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(detail: string, { status = 400, field, retryAfterSeconds, ...options }: ProblemOptions = {}) {
    super(detail, options);
    this.name = "Problem";
    this.status = status;
    this.field = field;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
