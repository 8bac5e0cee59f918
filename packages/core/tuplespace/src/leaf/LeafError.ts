import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of an item of a state. */
export type LeafFailure =
  | { readonly code: "corrupted"; readonly detail: string }
  | { readonly code: "peekTooLarge"; readonly peek: number }
  | {
      readonly code: "unexpectedKind";
      readonly wanted: LeafKind;
      readonly found: LeafKind;
      readonly key: Uint8Array;
    };

/** The kind of a leaf of the state tree. @spec 30 §4.5 */
export type LeafKind = "joins" | "data" | "continuations";

/** A leaf of the state tree does not have the form that it must have. @spec 30 §4.5 */
export class LeafError extends errorClass("LeafError", sentence) {}

function sentence(failure: LeafFailure): string {
  switch (failure.code) {
    case "corrupted":
      return `Data in RSpace is corrupted. ${failure.detail}`;
    case "peekTooLarge":
      return `${failure.peek} is greater than maximum value 255 for 8-bit unsigned integer`;
    case "unexpectedKind": {
      const wanted = failure.wanted === "joins" ? "join" : failure.wanted;
      return `Found unexpected leaf while looking for ${wanted} at key ${toHex(failure.key)}, data: ${failure.found}`;
    }
  }
}

/** An item that cannot be read. @spec 30 §4.5 */
export function corrupted(detail: string, cause?: unknown): LeafError {
  return new LeafError({ code: "corrupted", detail }, cause === undefined ? undefined : { cause });
}
