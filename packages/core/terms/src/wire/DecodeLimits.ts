import { largestTermBytes, maxTermNodes } from "../model/TermLimitError.js";

/** The limits of a decoder for a source that is not trusted. */
export interface DecodeLimits {
  readonly maxSizeBytes: number;
  /** Messages within the term; one in memory takes some 100 bytes, on the wire as little as 2. */
  readonly maxNodes: number;
}

/** The limits of this machine. */
export const defaultDecodeLimits: DecodeLimits = { maxSizeBytes: largestTermBytes, maxNodes: maxTermNodes };
