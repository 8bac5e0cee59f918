import { errorClass } from "@vedette/errors";

/** An exception of rnode that is no interpreter error. @spec 21 §9.3 */
export type Fatality =
  | { readonly code: "divisionByZero" }
  | { readonly code: "indexOutOfBounds"; readonly message: string }
  | { readonly code: "illegalArgument"; readonly message: string }
  | { readonly code: "matchError"; readonly process: string };

/**
 * Ends not only a deploy but the whole block that holds it: no result of such a deploy exists.
 *
 * Thrown where rnode throws an exception that its interpreter does not know. It is collected like any
 * error of a branch, since an out-of-phlo in another branch outranks it (21 §9.3, last paragraph).
 *
 * @spec 21 §9.3
 */
export class FatalError extends errorClass("FatalError", sentence) {}

function sentence(failure: Fatality): string {
  switch (failure.code) {
    case "divisionByZero":
      return "/ by zero";
    case "indexOutOfBounds":
    case "illegalArgument":
      return failure.message;
    case "matchError":
      return `${failure.process} was called with arguments that it does not understand`;
  }
}
