import { errorClass } from "@vedette/errors";

/** The faults of bytes that claim to be a protobuf message. */
export type WireFailure =
  | { readonly code: "truncated"; readonly offset: number }
  | { readonly code: "varintTooLong"; readonly offset: number }
  | { readonly code: "invalidTag"; readonly offset: number; readonly tag: number }
  | { readonly code: "invalidText"; readonly offset: number }
  | { readonly code: "tooManyItems"; readonly offset: number; readonly limit: number }
  | { readonly code: "tooLarge"; readonly sizeBytes: number; readonly limitBytes: number; readonly what: string }
  | { readonly code: "emptyEvent"; readonly offset: number }
  | { readonly code: "missingField"; readonly field: string }
  | { readonly code: "numberOutOfRange"; readonly field: string; readonly value: bigint }
  | { readonly code: "unknownAlgorithm"; readonly algorithm: string }
  | { readonly code: "invalidDeploySignature"; readonly index: number }
  /** `isOfOtherDialect`: nodes of another kind of network send it. */
  | { readonly code: "unknownPacketType"; readonly typeId: string; readonly isOfOtherDialect?: boolean }
  | { readonly code: "unreadable"; readonly reason: string }
  | { readonly code: "badAddress"; readonly text: string };

/** Bytes from a peer or from the disk are not the message that they should be. @spec 40 §1.1, §2 */
export class WireError extends errorClass("WireError", sentence) {}

function sentence(failure: WireFailure): string {
  switch (failure.code) {
    case "truncated":
      return `Message ends in the middle of a field, at byte ${failure.offset}`;
    case "varintTooLong":
      return `Malformed number at byte ${failure.offset}: a varint has at most 10 bytes`;
    case "invalidTag":
      return `Invalid field tag ${failure.tag} at byte ${failure.offset}`;
    case "invalidText":
      return `Text at byte ${failure.offset} is not UTF-8`;
    case "tooManyItems":
      return `Message has more than ${failure.limit} items (at byte ${failure.offset})`;
    case "tooLarge":
      return `${failure.what} of ${failure.sizeBytes} bytes is larger than the limit of ${failure.limitBytes} bytes`;
    case "emptyEvent":
      return "Received malformed Event: Empty";
    case "missingField":
      return `Missing ${failure.field} field`;
    case "numberOutOfRange":
      return `Field ${failure.field} cannot be ${failure.value}`;
    case "unknownAlgorithm":
      return "Invalid signing algorithm";
    case "invalidDeploySignature":
      return "Invalid signature";
    case "unknownPacketType":
      return failure.isOfOtherDialect === true
        ? `Unrecognized typeId: ${failure.typeId} (it is of another dialect than this network's)`
        : `Unrecognized typeId: ${failure.typeId}`;
    case "unreadable":
      return `Message could not be read: ${failure.reason}`;
    case "badAddress":
      return `bad address: ${failure.text}`;
  }
}
