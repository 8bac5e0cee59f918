import { errorClass } from "@vedette/errors";

/** The reasons that keep a term from being printed. */
export type PrintFailure = { readonly code: "tooDeep" } | { readonly code: "tooLong"; readonly limit: number };

/** A term that cannot be printed. @spec 20 §12 */
export class PrintError extends errorClass("PrintError", sentence) {}

function sentence(failure: PrintFailure): string {
  switch (failure.code) {
    case "tooDeep":
      return "Term is nested too deeply to be printed";
    case "tooLong":
      return `Term is too large to be printed: its text has more than ${failure.limit} characters`;
  }
}
