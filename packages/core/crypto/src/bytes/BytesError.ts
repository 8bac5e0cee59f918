import { errorClass } from "@vedette/errors";

/** What can be wrong with a text that stands for bytes. */
export type BytesFailure =
  | { readonly code: "notHex"; readonly offset: number }
  | { readonly code: "oddHex"; readonly length: number };

/** A text that stands for bytes could not be read. @spec 10 §1.1 */
export class BytesError extends errorClass("BytesError", sentence) {}

function sentence(failure: BytesFailure): string {
  switch (failure.code) {
    case "notHex":
      return `Not a hexadecimal digit at character ${failure.offset}`;
    case "oddHex":
      return `A hexadecimal text needs an even number of digits, not ${failure.length}`;
  }
}
