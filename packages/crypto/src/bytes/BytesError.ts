/** What can be wrong with a text or a run of bytes that is being read. */
export type BytesFailure =
  | { readonly code: "notHex"; readonly offset: number }
  | { readonly code: "oddHex"; readonly length: number }
  | { readonly code: "endOfData"; readonly offset: number; readonly wanted: number; readonly length: number }
  | { readonly code: "varintTooLong"; readonly offset: number }
  | { readonly code: "numberTooLarge"; readonly offset: number }
  | { readonly code: "trailingData"; readonly offset: number; readonly length: number };

/** Bytes or their text form could not be read. @spec 10 §1.1 */
export class BytesError extends Error {
  override readonly name = "BytesError";

  constructor(readonly failure: BytesFailure) {
    super(sentence(failure));
  }
}

function sentence(failure: BytesFailure): string {
  switch (failure.code) {
    case "notHex":
      return `Not a hexadecimal digit at character ${failure.offset}`;
    case "oddHex":
      return `A hexadecimal text needs an even number of digits, not ${failure.length}`;
    case "endOfData":
      return `Data ended: ${failure.wanted} bytes wanted at byte ${failure.offset} of ${failure.length}`;
    case "varintTooLong":
      return `A variable-length number at byte ${failure.offset} is longer than 10 bytes`;
    case "numberTooLarge":
      return `The number at byte ${failure.offset} does not fit`;
    case "trailingData":
      return `Data goes on after its end: byte ${failure.offset} of ${failure.length}`;
  }
}
