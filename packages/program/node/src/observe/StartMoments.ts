import type { F1r3nodeMoment } from "@vedette/api";
import { toHex } from "@vedette/crypto";
import type { SyncEvent } from "@vedette/sync";

/** The moments of a node's start that f1r3node's events report. @spec 50 §10.6 */
export class StartMoments {
  /** The block that validators are requested to approve. */
  #candidate = "";

  of(event: SyncEvent): F1r3nodeMoment | undefined {
    switch (event.type) {
      case "unapprovedBlockSent":
        this.#candidate = toHex(event.hash);
        return { event: "sent-unapproved-block", blockHash: this.#candidate };
      case "approvalReceived":
        if (!event.isNew) return undefined;
        return { event: "block-approval-received", blockHash: this.#candidate, sender: toHex(event.validator) };
      case "approvedBlockSent":
        return { event: "sent-approved-block", blockHash: toHex(event.hash) };
      case "approvedBlockRestored":
        return { event: "approved-block-received", blockHash: toHex(event.block.hash) };
      case "enteredRunning":
        return { event: "entered-running-state", blockHash: toHex(event.block.hash) };
      default:
        return undefined;
    }
  }
}
