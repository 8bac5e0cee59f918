/** How the reference meets a request that cannot be answered. @spec 50 §3.2 */
export type ApiErrorKind =
  /** An error value of its block API. */
  | "refusal"
  /** A thrown exception with this message. */
  | "exception"
  /** A thrown exception without a message; the text is its class's name, which gRPC does not tell. */
  | "nameless";

/** A request that cannot be answered; its message is what the client reads. @spec 50 §1.3, §3.2 */
export class ApiError extends Error {
  readonly kind: ApiErrorKind;

  constructor(message: string, { kind = "refusal", ...options }: ErrorOptions & { readonly kind?: ApiErrorKind } = {}) {
    super(message, options);
    this.name = "ApiError";
    this.kind = kind;
  }
}
