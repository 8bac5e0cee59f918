import { errorClass } from "@vedette/errors";

/** Why events cannot be sent. */
export type EventsFailure =
  | { readonly code: "cursorMalformed"; readonly cursor: string }
  | { readonly code: "cursorUnknown"; readonly cursor: string; readonly oldest: string }
  | { readonly code: "cursorTooOld"; readonly cursor: string; readonly oldest: string }
  /** A cursor of the stream that this node follows too, and further than this node is. */
  | { readonly code: "cursorAhead"; readonly cursor: string }
  | { readonly code: "blockMissing"; readonly hash: string }
  | { readonly code: "transfersUnavailable"; readonly hash: string; readonly reason: string }
  | { readonly code: "notesUnavailable"; readonly hash: string; readonly reason: string }
  | { readonly code: "entryDamaged"; readonly number: number };

/** Events cannot be read from a place in the log. */
export class EventsError extends errorClass("EventsError", sentence) {}

function sentence(failure: EventsFailure): string {
  switch (failure.code) {
    case "cursorMalformed":
      return "The cursor is none of this API; take it from an event, or use `oldest` or `newest`.";
    case "cursorUnknown":
      return `The cursor belongs to another log than this node's; the oldest cursor here is ${failure.oldest}; read the blocks that were missed, then begin there or at \`newest\`.`;
    case "cursorTooOld":
      return `The events after this cursor are kept no longer; the oldest cursor is ${failure.oldest}. Read the blocks that were missed, then begin there or at \`newest\`.`;
    case "cursorAhead":
      return "This node is not yet where the cursor is; repeat the request in a moment, or use another node of the fleet.";
    case "blockMissing":
      return `Block ${failure.hash} is in the log of events and not in the store; delete the log's tables, or check the disk.`;
    case "transfersUnavailable":
      return `The transfers of block ${failure.hash} are not available now: ${failure.reason}. Resume after the last cursor in a while.`;
    case "notesUnavailable":
      return `The output and errors of the deploys of block ${failure.hash} are not available now: ${failure.reason}. Resume after the last cursor in a while.`;
    case "entryDamaged":
      return `Entry ${failure.number} of the log of events is damaged; check the disk.`;
  }
}
