import { errorClass } from "@vedette/errors";
import type { LookupResult } from "@vedette/executor";

/** A reader does not have the requested facts of a block. */
export class NotReportedError extends errorClass("NotReportedError", sentence) {}

/** `notYet`: it may know soon, since the block is known, and its execution is not on disk yet. */
type NotReported = { readonly code: "notYet" | "never" };

function sentence({ code }: NotReported): string {
  return code === "notYet" ? "the block is not executed yet" : "the block was not executed here";
}

/** Returns what a reader found out about a block. @throws {NotReportedError} */
export function requireReported<T>(result: LookupResult<T> | undefined): T {
  if (result?.kind === "found") return result.value;
  throw new NotReportedError({ code: result?.kind === "never" ? "never" : "notYet" });
}
