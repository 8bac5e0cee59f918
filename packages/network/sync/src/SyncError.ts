import { errorClass } from "@vedette/errors";

/** Why a node cannot begin or go on. @spec 40 §3 */
export type SyncFailure =
  | { readonly code: "noBootstrap" }
  | { readonly code: "genesisRejected"; readonly status: string }
  | { readonly code: "genesisNotFound"; readonly reason: string }
  | { readonly code: "stateUnobtainable"; readonly reason: string }
  | { readonly code: "roleNotSupported"; readonly role: string }
  | { readonly code: "ownGenesisRejected"; readonly status: string };

/** The node cannot join its network. @spec 40 §3 */
export class SyncError extends errorClass("SyncError", sentence) {}

function sentence(failure: SyncFailure): string {
  switch (failure.code) {
    case "noBootstrap":
      return "There is no approved block and no bootstrap to request one from; set protocol-client.bootstrap, or standalone to found a network";
    case "genesisRejected":
      return `The genesis block of the bootstrap does not pass replay (${failure.status}); is this the right network and dialect?`;
    case "genesisNotFound":
      return `The genesis block cannot be found (${failure.reason}); join from the last finalized state instead`;
    case "stateUnobtainable":
      return `The state of the approved block cannot be fetched: ${failure.reason}`;
    case "roleNotSupported":
      return `This node is an observer; it cannot take part in a genesis ceremony as ${failure.role}`;
    case "ownGenesisRejected":
      return `The genesis block that this node made does not pass its own replay (${failure.status}); please report this`;
  }
}
