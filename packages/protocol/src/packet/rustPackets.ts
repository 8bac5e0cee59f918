import { rustForm } from "../block/rustForm.js";
import type { PacketForm } from "./PacketForm.js";
import { familyPackets } from "./scalaPackets.js";
import { unsignedIndex } from "./statePackets.js";

/** Packets of the newer node. @spec 61 §1.2, §16.2 */
export const rustPackets: PacketForm = {
  block: rustForm,
  types: new Set([
    ...familyPackets,
    ...(["FloorCacheRequest", "FloorCacheResponse", "MergeableEntryRequest", "MergeableEntryResponse"] as const),
  ]),
  writeIndex: unsignedIndex,
};
