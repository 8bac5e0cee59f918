import type { BlockCodec } from "../block/BlockCodec.js";
import type { PacketType } from "./PacketContents.js";
import type { WriteIndex } from "./statePackets.js";

/**
 * Which packets the nodes of a dialect send each other, and how they are written.
 *
 * @spec 40 §2, 61 §1.2, §16.2
 */
export interface PacketCodec {
  readonly block: BlockCodec;
  readonly types: ReadonlySet<PacketType>;
  /** Writes an index byte of a path through the state tree. */
  readonly writeIndex: WriteIndex;
}
