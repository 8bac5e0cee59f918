import type { Told } from "@vedette/executor";

/** A reader does not know what was asked of a block. */
export class NotReportedError extends Error {
  override readonly name = "NotReportedError";

  /** @param isLater whether it may know soon: the block is known, and its execution is not on disk yet */
  constructor(readonly isLater: boolean) {
    super(isLater ? "the block is not executed yet" : "the block was not executed here");
  }
}

/** What a reader told of a block. @throws {NotReportedError} */
export function requireReported<T>(told: Told<T> | undefined): T {
  if (told?.kind === "told") return told.value;
  throw new NotReportedError(told?.kind !== "never");
}
