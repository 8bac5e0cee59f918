import { emptyBytes } from "@vedette/crypto";
import { type Block, hashKey, type Justification } from "@vedette/protocol";
import { readEvidence } from "../evidence/evidenceBytes.js";
import type { SlashingEvidence } from "../evidence/SlashingEvidence.js";
import type { BondSet } from "./BondSet.js";
import type { BondSets } from "./BondSets.js";
import { validatorKeyOf } from "./validatorKeys.js";

/** A moment in the chain's own terms: the newest valid block that a node has then. */
export interface ChainMoment {
  readonly height: bigint;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
}

/** A block's flags in the DAG. */
export interface BlockFlags {
  readonly invalid: boolean;
  readonly finalized: boolean;
  readonly directlyFinalized: boolean;
  /** When this node found the block final; `undefined` where it did not decide that, as for blocks below its first one. */
  readonly finalizedAt?: ChainMoment | undefined;
}

/** The metadata of a block: its facts without its deploys. */
export interface MetadataFields {
  readonly hash: Uint8Array;
  readonly parents: readonly Uint8Array[];
  readonly sender: Uint8Array;
  readonly justifications: readonly Justification[];
  readonly bonds: BondSet;
  readonly number: bigint;
  readonly sequenceNumber: number;
  readonly timestamp: bigint;
  readonly preStateHash: Uint8Array;
  readonly postStateHash: Uint8Array;
  /** The block's extra bytes where they are a statement of evidence; else empty. @spec 40 §16.1 */
  readonly statement: Uint8Array;
}

/**
 * The facts that the DAG stores about a block. Immutable.
 *
 * @spec 40 §6.1 (block metadata)
 */
export class BlockMetadata implements MetadataFields, BlockFlags {
  readonly hash: Uint8Array;
  /** The hash as a key for maps. */
  readonly key: string;
  readonly parents: readonly Uint8Array[];
  readonly sender: Uint8Array;
  readonly senderKey: string;
  readonly justifications: readonly Justification[];
  readonly bonds: BondSet;
  readonly number: bigint;
  readonly sequenceNumber: number;
  readonly timestamp: bigint;
  readonly preStateHash: Uint8Array;
  readonly postStateHash: Uint8Array;
  readonly statement: Uint8Array;
  /** The offences that the block states; `undefined` on a network that judges by arrival. @spec 40 §16.1 */
  readonly evidence: readonly SlashingEvidence[] | undefined;
  readonly invalid: boolean;
  readonly finalized: boolean;
  readonly directlyFinalized: boolean;
  readonly finalizedAt: ChainMoment | undefined;
  private cachedParentKeys: readonly string[] | undefined;
  private cachedLatest: ReadonlyMap<string, Uint8Array> | undefined;
  /** `null` until known. */
  private cachedSelf: Uint8Array | undefined | null;

  /** @param fields another block's metadata where only the flags differ: what follows from the fields is taken over */
  constructor(fields: MetadataFields | BlockMetadata, flags: BlockFlags) {
    const known = fields instanceof BlockMetadata ? fields : undefined;
    this.hash = fields.hash;
    this.key = known?.key ?? hashKey(fields.hash);
    this.parents = fields.parents;
    this.sender = fields.sender;
    this.senderKey = known?.senderKey ?? validatorKeyOf(fields.sender);
    this.justifications = fields.justifications;
    this.bonds = fields.bonds;
    this.number = fields.number;
    this.sequenceNumber = fields.sequenceNumber;
    this.timestamp = fields.timestamp;
    this.preStateHash = fields.preStateHash;
    this.postStateHash = fields.postStateHash;
    this.statement = fields.statement;
    this.evidence = known === undefined ? readEvidence(fields.statement)?.offences : known.evidence;
    this.invalid = flags.invalid;
    this.finalized = flags.finalized;
    this.directlyFinalized = flags.directlyFinalized;
    this.finalizedAt = flags.finalizedAt;
    this.cachedParentKeys = known?.cachedParentKeys;
    this.cachedLatest = known?.cachedLatest;
    this.cachedSelf = known === undefined ? null : known.cachedSelf;
  }

  /** The justified block of this validator. */
  justificationOf(validatorKey: string): Uint8Array | undefined {
    if (this.cachedLatest === undefined) {
      const latest = new Map<string, Uint8Array>();
      for (const { validator, latestBlockHash } of this.justifications)
        latest.set(validatorKeyOf(validator), latestBlockHash);
      this.cachedLatest = latest;
    }
    return this.cachedLatest.get(validatorKey);
  }

  /** The sender's own block before this one; `undefined` for genesis. @spec 40 §8.1 */
  get selfJustification(): Uint8Array | undefined {
    if (this.cachedSelf === null) this.cachedSelf = this.justificationOf(this.senderKey);
    return this.cachedSelf;
  }

  /** The `hashKey`s of the parents. PERF: walks down the DAG meet each block once for each of its children. */
  get parentKeys(): readonly string[] {
    this.cachedParentKeys ??= this.parents.map(hashKey);
    return this.cachedParentKeys;
  }

  /** `undefined` for genesis. */
  get mainParent(): Uint8Array | undefined {
    return this.parents[0];
  }

  /** The same block standing otherwise. */
  with(flags: Partial<BlockFlags>): BlockMetadata {
    return new BlockMetadata(this, {
      invalid: flags.invalid ?? this.invalid,
      finalized: flags.finalized ?? this.finalized,
      directlyFinalized: flags.directlyFinalized ?? this.directlyFinalized,
      finalizedAt: this.finalized ? this.finalizedAt : flags.finalizedAt,
    });
  }
}

/** Returns the metadata of a block, for the DAG. */
export function metadataOf(block: Block, bondSets: BondSets, flags: BlockFlags): BlockMetadata {
  const { state } = block.body;
  return new BlockMetadata(
    {
      hash: Uint8Array.from(block.hash),
      parents: block.parents.map((parent) => Uint8Array.from(parent)),
      sender: bondSets.validator(block.sender),
      justifications: block.justifications.map(({ validator, latestBlockHash }) => ({
        validator: bondSets.validator(validator),
        latestBlockHash: Uint8Array.from(latestBlockHash),
      })),
      bonds: bondSets.of(state.bonds),
      number: block.number,
      sequenceNumber: block.sequenceNumber,
      timestamp: block.header.timestamp,
      preStateHash: Uint8Array.from(state.preStateHash),
      postStateHash: Uint8Array.from(state.postStateHash),
      statement: readEvidence(block.extraBytes) === undefined ? emptyBytes : Uint8Array.from(block.extraBytes),
    },
    flags,
  );
}
