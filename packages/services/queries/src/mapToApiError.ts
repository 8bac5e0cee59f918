import { ReaderPoolError, RemoteError } from "@vedette/executor/threads";
import { ApiError } from "./ApiError.js";
import { FairQueueError } from "./explore/FairQueue.js";
import { Overload } from "./explore/Overload.js";
import { StateQueryError } from "./state/StateQueryError.js";

/** Maps errors of readers to those of rnode's API. @throws {ApiError} {Overload} */
export async function mapToApiError<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    throw apiErrorOf(error);
  }
}

function apiErrorOf(cause: unknown): unknown {
  if (cause instanceof StateQueryError) {
    const { code } = cause.failure;
    if (code === "busy" || code === "tooMany")
      return new Overload(cause.message, { isOfClient: code === "tooMany", cause });
    return cause.cause instanceof ReaderPoolError ? apiErrorOf(cause.cause) : exception(cause);
  }
  if (cause instanceof FairQueueError) {
    if (cause.failure.code === "cancelled") return exception(cause);
    return new Overload(cause.message, { isOfClient: cause.failure.code === "tooMany", cause });
  }
  if (cause instanceof ReaderPoolError)
    return cause.failure.code === "cancelled" ? exception(cause) : new Overload(cause.message, { cause });
  return cause instanceof RemoteError ? exception(cause) : cause;
}

function exception(cause: Error): ApiError {
  return new ApiError(cause.message, { cause, kind: "exception", reason: "failed" });
}
