import { errorClass } from "@vedette/errors";

/** Why events cannot be handed on. */
export type SinkFailure =
  /** It may pass: tried again. */
  | { readonly code: "notTaken"; readonly place: string; readonly reason: string }
  /** Nothing is gained by trying again. */
  | { readonly code: "refused"; readonly place: string; readonly reason: string }
  | { readonly code: "noteWrong"; readonly path: string; readonly reason: string }
  | { readonly code: "secretWrong"; readonly path: string; readonly reason: string };

/** Events cannot be delivered; the message states what to do. */
export class SinkError extends errorClass("SinkError", sentence) {}

function sentence(failure: SinkFailure): string {
  switch (failure.code) {
    case "notTaken":
      return `${failure.place} did not accept the event: ${failure.reason}`;
    case "refused":
      return `${failure.place} refuses events: ${failure.reason}`;
    case "noteWrong":
      return `no valid position in ${failure.path} (${failure.reason}): delete the file, and set --after`;
    case "secretWrong":
      return `no secrets in ${failure.path}: ${failure.reason}`;
  }
}
