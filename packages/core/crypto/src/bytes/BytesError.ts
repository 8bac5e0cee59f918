import { errorClass } from "@vedette/errors";

/** The faults of a text that represents bytes. */
export type BytesFailure =
  | { readonly code: "notHex"; readonly offset: number }
  | { readonly code: "oddHex"; readonly length: number };

/** A text that represents bytes could not be read. @spec 10 §1.1 */
export class BytesError extends errorClass("BytesError", sentence) {}

function sentence(failure: BytesFailure): string {
  switch (failure.code) {
    case "notHex":
      return `Not a hexadecimal digit at character ${failure.offset}`;
    case "oddHex":
      return `A hexadecimal text needs an even number of digits, not ${failure.length}`;
  }
}
