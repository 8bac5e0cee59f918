import { rnodeForm } from "../block/rnodeForm.js";
import type { PacketCodec } from "./PacketCodec.js";
import type { PacketType } from "./PacketContents.js";
import { signedIndex } from "./statePackets.js";

/** The packets that all nodes of the family understand. @spec 10 §4.1 */
export const familyPackets: readonly PacketType[] = [
  "BlockHashMessage",
  "BlockMessage",
  "HasBlockRequest",
  "HasBlock",
  "BlockRequest",
  "ForkChoiceTipRequest",
  "ApprovedBlock",
  "ApprovedBlockRequest",
  "BlockApproval",
  "UnapprovedBlock",
  "NoApprovedBlockAvailable",
  "StoreItemsMessageRequest",
  "StoreItemsMessage",
];

/** Packets of rnode. @spec 10 §4.1, 40 §2 */
export const rnodePackets: PacketCodec = {
  block: rnodeForm,
  types: new Set(familyPackets),
  writeIndex: signedIndex,
};
