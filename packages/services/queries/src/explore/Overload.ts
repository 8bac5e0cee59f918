import { ApiError } from "../ApiError.js";

/** Facts of an overload beside its sentence. */
export interface OverloadOptions extends ErrorOptions {
  /** Whether this client alone sends too many requests. */
  readonly isOfClient?: boolean;
  readonly retryAfterSeconds?: number;
}

const soonSeconds = 1;

/**
 * Too many requests at once; the same request can be sent again. rnode has no such refusal, and so no words for it:
 * HTTP answers with status 429 or 503, gRPC with `RESOURCE_EXHAUSTED`.
 *
 * @spec 50 §1.12, §3.2
 */
export class Overload extends ApiError {
  readonly isOfClient: boolean;
  readonly retryAfterSeconds: number;

  constructor(message: string, options: OverloadOptions = {}) {
    const { isOfClient = false, retryAfterSeconds = soonSeconds, ...rest } = options;
    super(message, rest);
    this.name = "Overload";
    this.isOfClient = isOfClient;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}
