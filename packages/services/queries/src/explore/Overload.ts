import { ApiError } from "../ApiError.js";

/** Facts of an overload beside its sentence. */
export interface OverloadOptions extends ErrorOptions {
  /** Whether it is the client alone who asks too much. */
  readonly isOfClient?: boolean;
  readonly retryAfterSeconds?: number;
}

const soonSeconds = 1;

/**
 * More is asked at once than may be; the same request can be sent again. rnode has no such refusal, so it has
 * none of its words: HTTP tells it by status 429 or 503, gRPC by `RESOURCE_EXHAUSTED`.
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
