/** Facts of a problem beside its sentence. */
export interface ProblemOptions extends ErrorOptions {
  readonly status?: number;
  /** The member of the request that is to blame: `body.data.term`, `params.root`, `query.cursor`. */
  readonly field?: string;
  /** The word that f1r3node has for it: `block_not_found`. @spec 50 §1.14 */
  readonly kind?: string;
  /** Seconds after which the request may be sent again. */
  readonly retryAfterSeconds?: number;
}

/**
 * A refusal by one of Vedette's own routes, in the route's form; the message states what to do. @spec 50 §1.12, §1.14
 */
export class Problem extends Error {
  readonly status: number;
  readonly field: string | undefined;
  readonly kind: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(detail: string, { status = 400, field, kind, retryAfterSeconds, ...options }: ProblemOptions = {}) {
    super(detail, options);
    this.name = "Problem";
    this.status = status;
    this.field = field;
    this.kind = kind;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
