/** A request that cannot be answered; its message is what the client reads. @spec 50 §1.3 */
export class ApiError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "ApiError";
  }
}
