/** Longest encoding of a term that is written or read. The reference's end at 2^31 bytes, its memory long before. */
export const largestTermBytes = 256 * 1024 * 1024;

/** Most messages in a term that is read. */
export const mostTermNodes = 8_000_000;

/** Most elements of one list of a term that a program makes. */
const mostParts = 4_000_000;

/** Longest text that a program makes, in UTF-16 units: it lies in the engine's heap, in one piece. */
const longestText = 64 * 1024 * 1024;

/** Which limit a term went over. */
export type TermLimitFailure =
  | { readonly code: "tooLarge"; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly code: "tooManyParts"; readonly limit: number }
  | { readonly code: "tooLong"; readonly limit: number };

/**
 * A term that a program made and that this machine does not take on. A few steps of doubling lead to any size; the
 * engine would end the whole process, or take memory without end, rather than refuse. Nothing is known of the program.
 */
export class TermLimitError extends Error {
  override readonly name = "TermLimitError";

  constructor(readonly failure: TermLimitFailure) {
    super(sentence(failure));
  }
}

function sentence(failure: TermLimitFailure): string {
  switch (failure.code) {
    case "tooLarge":
      return `A term would have ${failure.sizeBytes} bytes, more than the limit of ${failure.limitBytes}`;
    case "tooManyParts":
      return `A term would have more than the limit of ${failure.limit} parts side by side`;
    case "tooLong":
      return `A text would be longer than the limit of ${failure.limit} characters`;
  }
}

/** Called with the size of an encoding before it is made. @throws {TermLimitError} `tooLarge` */
export function checkTermSize(sizeBytes: number): void {
  if (sizeBytes > largestTermBytes)
    throw new TermLimitError({ code: "tooLarge", sizeBytes, limitBytes: largestTermBytes });
}

/** Called with the length of a list before it is made. @throws {TermLimitError} `tooManyParts` */
export function checkPartCount(count: number): void {
  if (count > mostParts) throw new TermLimitError({ code: "tooManyParts", limit: mostParts });
}

/** Called with the length of a text before it is made. @throws {TermLimitError} `tooLong` */
export function checkTextLength(length: number): void {
  if (length > longestText) throw new TermLimitError({ code: "tooLong", limit: longestText });
}
