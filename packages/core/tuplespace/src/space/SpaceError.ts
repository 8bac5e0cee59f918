import { toHex } from "@vedette/crypto";
import { errorClass } from "@vedette/errors";

/** The faults of operations on the space, or of a replay. */
export type SpaceFailure =
  | { readonly code: "noChannels" }
  | { readonly code: "patternCount" }
  | { readonly code: "installMatched" }
  | { readonly code: "removeInstalled" }
  | { readonly code: "unknownRoot"; readonly root: Uint8Array }
  | { readonly code: "commNotInTrace"; readonly consume: Uint8Array; readonly produces: readonly Uint8Array[] }
  | { readonly code: "replayDataLeft"; readonly keys: number }
  | { readonly code: "checkpointGone" }
  | { readonly code: "readOnly" };

/**
 * The tuple space cannot do the requested operation, or a replay leaves the recorded path.
 *
 * None of these is an error of the evaluated program: each ends the play or replay of the whole block.
 *
 * @spec 30 §1.5, §1.7, §3.4, §3.5
 */
export class SpaceError extends errorClass("SpaceError", sentence) {}

function sentence(failure: SpaceFailure): string {
  switch (failure.code) {
    case "noChannels":
      return "channels can't be empty";
    case "patternCount":
      return "channels.length must equal patterns.length";
    case "installMatched":
      return "Installing can be done only on startup";
    case "removeInstalled":
      return "Attempted to remove an installed continuation";
    case "unknownRoot":
      return `unknown root ${toHex(failure.root)}`;
    case "commNotInTrace": {
      const produces = failure.produces.map(toHex).join(", ");
      return `COMM Event (consume ${toHex(failure.consume)}, produces ${produces}) was not contained in the trace`;
    }
    case "replayDataLeft":
      return `Unused COMM event: replayData multimap has ${failure.keys} elements left`;
    case "checkpointGone":
      return "A soft checkpoint was reverted to after the space went back before it or was reset";
    case "readOnly":
      return "This space only looks at a state and cannot commit one";
  }
}
