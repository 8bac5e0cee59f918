import type { SignatureRules } from "@vedette/crypto";
import type { Block } from "../block/Block.js";
import type { BlockCodec } from "../block/BlockCodec.js";
import type { PacketCodec } from "../packet/PacketCodec.js";
import type { TransportFacts } from "./TransportFacts.js";

/**
 * The differences between networks of this family: each is one named fact, given as an argument.
 *
 * @spec 40 §14, 10 §9
 */
export interface Dialect {
  readonly name: "rnode" | "f1r3node";
  /** How blocks and deploys are written and read. @spec 40 §1.1, 61 §1.2 */
  readonly blockForm: BlockCodec;
  /** Deploys may have a time after which no block may have them. @spec 61 §1.2 */
  readonly deploysMayExpire: boolean;
  /** Whether deploys expire by the height of the last final block, or by that of the block after it. @spec 61 §14.2 */
  readonly deploysExpireBy: "lastFinal" | "next";
  /** Whether a deploy that could not be paid takes effect: it came to nothing, and that is done. @spec 61 §12.4 */
  readonly unpaidDeploysTakeEffect: boolean;
  /** Which signatures of blocks, deploys and approvals are valid. @spec 10 §1.2, 61 §1.1 */
  readonly signatureRules: SignatureRules;
  /** Which packets there are, and how they are written. @spec 40 §2, 61 §1.2, §16.2 */
  readonly packetForm: PacketCodec;
  /** How nodes are connected. @spec 10 §3, 61 §16.1 */
  readonly transport: TransportFacts;
  /** The part of the hashed bytes that follows header and body. @spec 40 §14.2 */
  readonly blockHashTail: (block: Block) => Uint8Array;
  /** Compressed streams begin with the varint of their raw length. @spec 10 §9 */
  readonly compressedStreamsHaveLength: boolean;
  /** The slash's random seed covers the hash of the invalid block. @spec 40 §14.2 */
  readonly slashSeedCoversInvalidBlock: boolean;
  /** Order of bonds and events in the genesis block. @spec 40 §14.2 */
  readonly genesisByteOrder: "signed" | "unsigned";
}
