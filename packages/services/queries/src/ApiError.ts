/** How rnode meets a request that cannot be answered. @spec 50 §3.2 */
export type ApiErrorKind =
  /** An error value of its block API. */
  | "refusal"
  /** A thrown exception with this message. */
  | "exception"
  /** A thrown exception without a message; the text is its class's name, which gRPC leaves out. */
  | "nameless";

/** Why a request cannot be answered, where a dialect has a word for it. Without one, the request is at fault. @spec 50 §10.2 */
export type ApiErrorReason =
  | "notRunning"
  | "invalidHash"
  | "unknownBlock"
  | "unknownDeploy"
  | "unreadableTerm"
  | "readOnlyWanted"
  | "nothingToPropose"
  | "programStopped"
  /** The node failed; the request was not at fault. */
  | "failed";

/** The options of an error beside its message. */
export interface ApiErrorOptions extends ErrorOptions {
  readonly kind?: ApiErrorKind | undefined;
  readonly reason?: ApiErrorReason | undefined;
}

/** A request that cannot be answered; its message is what the client reads. @spec 50 §1.3, §3.2 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;
  readonly reason: ApiErrorReason | undefined;

  constructor(message: string, { kind = "refusal", reason, ...options }: ApiErrorOptions = {}) {
    super(message, options);
    this.name = "ApiError";
    this.kind = kind;
    this.reason = reason;
  }
}
