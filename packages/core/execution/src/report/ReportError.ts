import { errorClass } from "@vedette/errors";

/** The reasons that keep a block from being reported. */
export type ReportFailure =
  /** The block has more events than a report may contain. */
  | { readonly code: "tooManyEvents" }
  /** Kept transfers are damaged. */
  | { readonly code: "recordMalformed"; readonly offset: number };

/** A report of a block cannot be given. @spec 41 §8 */
export class ReportError extends errorClass("ReportError", sentence) {}

function sentence(failure: ReportFailure): string {
  switch (failure.code) {
    case "tooManyEvents":
      return "The block has more events than one report may contain.";
    case "recordMalformed":
      return `The kept transfers of a block are damaged at byte ${failure.offset}; check the disk`;
  }
}
