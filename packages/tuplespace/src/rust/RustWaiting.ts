import { BincodeReader, readStoredBindPattern, readStoredContinuation, rustTerms } from "@vedette/terms";
import { decodeBincodeContinuation, encodeBincodeContinuation } from "../bincode/bincodeLeaf.js";
import { WaitingContinuation, type WaitingFields } from "../leaf/WaitingContinuation.js";

/**
 * A waiting continuation as networks of the newer node keep it. What comes from the history has no sets of free
 * variables.
 *
 * @spec 61 §2.2
 */
export class RustWaiting extends WaitingContinuation {
  static override of(fields: WaitingFields): RustWaiting {
    return new RustWaiting(fields, undefined);
  }

  static override fromBytes(bytes: Uint8Array): RustWaiting {
    return new RustWaiting(undefined, bytes);
  }

  protected override readTerms(bytes: Uint8Array): Pick<WaitingFields, "patterns" | "continuation"> {
    const stored = decodeBincodeContinuation(bytes);
    const patterns = stored.patterns.map((encoded) => {
      const pattern = readStoredBindPattern(new BincodeReader(encoded));
      pattern.cachedEncoding = encoded;
      return pattern;
    });
    const continuation = readStoredContinuation(new BincodeReader(stored.continuation));
    continuation.cachedEncoding = stored.continuation;
    return { patterns, continuation };
  }

  protected override readFrame(bytes: Uint8Array): Pick<WaitingFields, "persist" | "peeks" | "source"> {
    return decodeBincodeContinuation(bytes);
  }

  protected override write(): Uint8Array {
    return encodeBincodeContinuation({
      patterns: this.patterns.map((pattern) => rustTerms.storedBindPattern(pattern)),
      continuation: rustTerms.storedContinuation(this.continuation),
      persist: this.persist,
      peeks: this.peeks,
      source: this.source,
    });
  }
}
