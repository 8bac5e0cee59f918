import type { SignatureRules } from "@vedette/crypto";
import type { Block } from "../block/Block.js";
import type { BlockCodec } from "../block/BlockCodec.js";
import type { PacketCodec } from "../packet/PacketCodec.js";

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

/** The differences in how nodes of a dialect are connected. @spec 10 §3, §4, §9, 61 §16.1 */
export interface TransportFacts {
  /** Older versions of TLS are refused, at both ends. */
  readonly minTlsVersion: "TLSv1.2" | "TLSv1.3";
  /** Whether the common name of a certificate names its node beside alternative names, or only where there are none. */
  readonly commonNameAlwaysCounts: boolean;
  /** How long a message may take. @param networkTimeoutMs the configured limit for calls of discovery */
  readonly sendDeadlineMs: (networkTimeoutMs: number) => number;
  /** The maximum number of one peer's messages that may wait to be handled. */
  readonly inboundMessages: number;
  readonly inboundStreams: number;
  readonly upkeep: UpkeepFacts;
}

/** How silent peers are found and dropped. @spec 10 §4, 61 §16.1 */
export interface UpkeepFacts {
  /** Whether heartbeats go to all peers at the same time; otherwise to one after the other. */
  readonly asksTogether: boolean;
  /** Unanswered heartbeats in a row that end a connection. */
  readonly maxMissedBeats: number;
  /** Whether discovery forgets a dropped peer too; it never forgets the bootstrap. */
  readonly removesDropped: boolean;
}
