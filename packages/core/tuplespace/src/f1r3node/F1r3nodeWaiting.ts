import { f1r3nodeTerms } from "@vedette/terms";
import { encodeBincodeContinuation, readBincodeContinuation, readBincodeWaitingTerms } from "../bincode/bincodeLeaf.js";
import { WaitingContinuation, type WaitingFields } from "../leaf/WaitingContinuation.js";

/**
 * A waiting continuation as f1r3node networks keep it. What comes from the history has no sets of free
 * variables.
 *
 * @spec 61 §2.2
 */
export class F1r3nodeWaiting extends WaitingContinuation {
  static override of(fields: WaitingFields): F1r3nodeWaiting {
    return new F1r3nodeWaiting(fields, undefined);
  }

  static override fromBytes(bytes: Uint8Array): F1r3nodeWaiting {
    return new F1r3nodeWaiting(undefined, bytes);
  }

  /** Makes a continuation from its stored bytes. */
  static asStored({ persist, peeks, source, encoding }: WaitingContinuation): F1r3nodeWaiting {
    return new F1r3nodeWaiting({ persist, peeks, source }, encoding);
  }

  protected override readTerms(bytes: Uint8Array): Pick<WaitingFields, "patterns" | "continuation"> {
    return readBincodeWaitingTerms(bytes);
  }

  /** The fields that are read first come after the terms. */
  protected override readFrame(bytes: Uint8Array): WaitingFields {
    return readBincodeContinuation(bytes);
  }

  protected override write(): Uint8Array {
    return encodeBincodeContinuation({
      patterns: this.patterns.map((pattern) => f1r3nodeTerms.storedBindPattern(pattern)),
      continuation: f1r3nodeTerms.storedContinuation(this.continuation),
      persist: this.persist,
      peeks: this.peeks,
      source: this.source,
    });
  }
}
