import { f1r3nodeForm } from "../block/f1r3nodeForm.js";
import type { PacketCodec } from "./PacketCodec.js";
import { familyPackets } from "./rnodePackets.js";
import { unsignedIndex } from "./statePackets.js";

/** Packets of f1r3node. @spec 61 §1.2, §16.2 */
export const f1r3nodePackets: PacketCodec = {
  block: f1r3nodeForm,
  types: new Set([
    ...familyPackets,
    ...(["FloorCacheRequest", "FloorCacheResponse", "MergeableEntryRequest", "MergeableEntryResponse"] as const),
  ]),
  writeIndex: unsignedIndex,
};
