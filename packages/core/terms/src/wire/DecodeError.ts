import { errorClass } from "@vedette/errors";

/** The faults of a term's bytes. */
export type DecodeFailure =
  | { readonly code: "truncated"; readonly offset: number }
  | { readonly code: "badTag"; readonly offset: number }
  | { readonly code: "badVarint"; readonly offset: number }
  | { readonly code: "badText"; readonly offset: number }
  | { readonly code: "tooLarge"; readonly sizeBytes: number; readonly limitBytes: number }
  | { readonly code: "tooManyNodes"; readonly limit: number }
  | { readonly code: "tooDeep" };

/** Bytes that are no term, or one that is too large to take in. @spec 20 §10 */
export class DecodeError extends errorClass("DecodeError", sentence) {}

function sentence(failure: DecodeFailure): string {
  switch (failure.code) {
    case "truncated":
      return `Term bytes end too early: what starts at byte ${failure.offset} is incomplete`;
    case "badTag":
      return `Term bytes are malformed at byte ${failure.offset}: no field can start there`;
    case "badVarint":
      return `Term bytes are malformed at byte ${failure.offset}: the varint is longer than 10 bytes`;
    case "badText":
      return `Term bytes are malformed at byte ${failure.offset}: the text is not valid UTF-8`;
    case "tooLarge":
      return `Term has ${failure.sizeBytes} bytes, more than the limit of ${failure.limitBytes}`;
    case "tooManyNodes":
      return `Term has more than the limit of ${failure.limit} nodes`;
    case "tooDeep":
      return "Term is nested too deeply";
  }
}
