import { type Line, linesOf } from "@vedette/config/log";
import { equalBytes } from "@vedette/crypto";
import { peerUri } from "@vedette/network";
import type { SyncEvent } from "@vedette/sync";

/**
 * Returns the log line for a block from a peer that was made with this node's key, and is new to this node.
 *
 * @spec 50 §6.2
 * @param ownKey public key of the validator; `undefined` on an observer
 */
export function otherNodeLine(event: SyncEvent, ownKey: Uint8Array | undefined): Line | undefined {
  if (event.type !== "blockAccepted" || ownKey === undefined) return undefined;
  if (!equalBytes(event.block.sender, ownKey)) return undefined;
  return linesOf("propose").warn(
    `There is another node ${peerUri(event.peer)} proposing using the same private key as you. Or did you restart your node?`,
  );
}
