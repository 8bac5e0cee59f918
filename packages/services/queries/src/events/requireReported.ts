import type { LookupResult } from "@vedette/executor";

/** A reader does not know what was asked of a block. */
export class NotReportedError extends Error {
  override readonly name = "NotReportedError";

  /** @param isLater whether it may know soon: the block is known, and its execution is not on disk yet */
  constructor(readonly isLater: boolean) {
    super(isLater ? "the block is not executed yet" : "the block was not executed here");
  }
}

/** Returns what a reader found out about a block. @throws {NotReportedError} */
export function requireReported<T>(result: LookupResult<T> | undefined): T {
  if (result?.kind === "found") return result.value;
  throw new NotReportedError(result?.kind !== "never");
}
