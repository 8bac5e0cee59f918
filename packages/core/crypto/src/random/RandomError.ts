import { errorClass } from "@vedette/errors";

/** The faults of a request to the splittable generator. */
export type RandomFailure =
  | { readonly code: "tooFewToMerge"; readonly received: number }
  | { readonly code: "stateMalformed"; readonly length: number };

/** The splittable generator was used in a way that it does not allow. @spec 21 §2.2, §2.3 */
export class RandomError extends errorClass("RandomError", sentence) {}

function sentence(failure: RandomFailure): string {
  switch (failure.code) {
    case "tooFewToMerge":
      return `Blake2b512Random should have at least 2 inputs to merge, received ${failure.received}.`;
    case "stateMalformed":
      return `The ${failure.length} bytes are no state of a splittable generator`;
  }
}
