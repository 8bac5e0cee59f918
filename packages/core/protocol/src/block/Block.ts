import type { BlockCodec } from "./BlockCodec.js";
import type { Body } from "./Body.js";
import { rnodeForm } from "./rnodeForm.js";

/** A block's place: its parents and its time. @spec 40 §1.1 (HeaderProto) */
export interface Header {
  /** The main parent first; empty for genesis. */
  readonly parents: readonly Uint8Array[];
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly version: bigint;
  readonly extraBytes: Uint8Array;
}

/** The latest message that a block's creator knew of a validator. @spec 40 §1.1 (JustificationProto) */
export interface Justification {
  readonly validator: Uint8Array;
  readonly latestBlockHash: Uint8Array;
}

/** The content of a block. */
export interface BlockFields {
  readonly hash: Uint8Array;
  readonly header: Header;
  readonly body: Body;
  readonly justifications: readonly Justification[];
  /** Public key of the creator; empty for genesis. */
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
  readonly signature: Uint8Array;
  readonly signatureAlgorithm: string;
  readonly shardId: string;
  readonly extraBytes: Uint8Array;
  /** The encoding of the block; default: rnode's form. */
  readonly form?: BlockCodec;
}

/**
 * A block. Immutable.
 *
 * The fields below the line are caches of `blockEncoding.ts`: encodings that were received in canonical form, or
 * made once.
 *
 * @spec 40 §1.1 (BlockMessageProto)
 */
export class Block implements BlockFields {
  readonly hash: Uint8Array;
  readonly header: Header;
  readonly body: Body;
  readonly justifications: readonly Justification[];
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
  readonly signature: Uint8Array;
  readonly signatureAlgorithm: string;
  readonly shardId: string;
  readonly extraBytes: Uint8Array;
  readonly form: BlockCodec;

  cachedEncoding: Uint8Array | undefined = undefined;
  cachedHeader: Uint8Array | undefined = undefined;
  cachedBody: Uint8Array | undefined = undefined;
  /** The hash that {@link hashBlock} computed, which may differ from the hash that the block contains. */
  cachedHash: { readonly dialect: { readonly name: string }; readonly hash: Uint8Array } | undefined = undefined;

  constructor(fields: BlockFields) {
    this.hash = fields.hash;
    this.header = fields.header;
    this.body = fields.body;
    this.justifications = fields.justifications;
    this.sender = fields.sender;
    this.sequenceNumber = fields.sequenceNumber;
    this.signature = fields.signature;
    this.signatureAlgorithm = fields.signatureAlgorithm;
    this.shardId = fields.shardId;
    this.extraBytes = fields.extraBytes;
    this.form = fields.form ?? rnodeForm;
  }

  get number(): bigint {
    return this.body.state.blockNumber;
  }

  get parents(): readonly Uint8Array[] {
    return this.header.parents;
  }
}
