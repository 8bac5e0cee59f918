import { errorClass } from "@vedette/errors";

/** Longest encoding of a term that is written or read. rnode's end at 2^31 bytes, its memory long before. */
export const largestTermBytes = 256 * 1024 * 1024;

/** Most messages in a term that is read. */
export const maxTermNodes = 8_000_000;

/** How large the terms may become that programs make. */
export interface TermLimits {
  /** Most elements of one list. */
  readonly maxParts: number;
  /** Longest text, in UTF-16 units: it lies in the engine's heap, in one piece. */
  readonly longestText: number;
  /** Longest encoding. */
  readonly largestBytes: number;
}

/** The limits for blocks of other nodes, and for explored programs. */
export const widestTermLimits: TermLimits = {
  maxParts: 4_000_000,
  longestText: 64 * 1024 * 1024,
  largestBytes: largestTermBytes,
};

/** The present limits of this thread: the checks are deep within the code that makes terms. */
let limits = widestTermLimits;

/** Runs something within other limits on terms; it must not await anything. */
export function withTermLimits<T>(narrower: TermLimits, run: () => T): T {
  const before = limits;
  limits = narrower;
  try {
    return run();
  } finally {
    limits = before;
  }
}

/** Which limit a term went over. */
export type TermLimitFailure =
  | { readonly code: "tooLarge"; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly code: "tooManyParts"; readonly limit: number }
  | { readonly code: "tooLong"; readonly limit: number };

/**
 * A term that a program made and that this machine does not take on. A few steps of doubling lead to any size; the
 * engine would end the whole process, or take memory without end, rather than refuse. Nothing is known of the program.
 */
export class TermLimitError extends errorClass("TermLimitError", sentence) {}

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
  const { largestBytes } = limits;
  if (sizeBytes > largestBytes) throw new TermLimitError({ code: "tooLarge", sizeBytes, limitBytes: largestBytes });
}

/** Called with the length of a list before it is made. @throws {TermLimitError} `tooManyParts` */
export function checkPartCount(count: number): void {
  if (count > limits.maxParts) throw new TermLimitError({ code: "tooManyParts", limit: limits.maxParts });
}

/** Called with the length of a text before it is made. @throws {TermLimitError} `tooLong` */
export function checkTextLength(length: number): void {
  if (length > limits.longestText) throw new TermLimitError({ code: "tooLong", limit: limits.longestText });
}
