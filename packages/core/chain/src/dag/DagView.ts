import type { BlockMetadata } from "./BlockMetadata.js";

/** The latest block known of a validator. @spec 40 §6.3 */
export interface LatestMessage {
  readonly validator: Uint8Array;
  readonly hash: Uint8Array;
}

/** The DAG as its readers see it. Keys of validators are `hashKey`s of their public keys. @spec 40 §6 */
export interface DagView {
  has(hash: Uint8Array): boolean;
  /** @param key its `hashKey`, where the caller has it */
  find(hash: Uint8Array, key?: string): BlockMetadata | undefined;
  /** @throws {ChainError} `blockMissing` */
  require(hash: Uint8Array, key?: string): BlockMetadata;
  /** Returns the first blocks with hashes that begin with these lower-case hex digits, at most `most`. @spec 50 §1.9 */
  blocksByPrefix(hexPrefix: string, most: number): readonly BlockMetadata[];
  latestMessage(validatorKey: string): Uint8Array | undefined;
  /** In ascending order of the validators' keys as unsigned bytes. */
  latestMessages(): readonly LatestMessage[];
  isInvalid(hash: Uint8Array): boolean;
  /** Why a block is invalid, where it is and where that is known. */
  invalidReason(hash: Uint8Array): string | undefined;
  /** Whether blocks are judged by what their past proves, as the chain's first block states. @spec 40 §16.1 */
  readonly judgesByEvidence: boolean;
  /** Whether this node knows a proof against the validator; never where blocks are judged by arrival. @spec 40 §16.5 */
  hasSlashingEvidence(validatorKey: string): boolean;
  /** Hashes of one or two blocks that prove an offence of the validator; none where it is no offender. @spec 40 §16.5 */
  proofAgainst(validatorKey: string): readonly Uint8Array[];
  /** Blocks that prove offences of validators with stake in the last finalized block. @spec 40 §16.5 */
  unpunishedProofs(): readonly Uint8Array[];
  /** Hashes of a validator's blocks that justify this one as its own before them; known where offences are. */
  ownBlocksAfter(validator: Uint8Array, hash: Uint8Array): readonly Uint8Array[];
  /** Hash and sender of every block that was found invalid. */
  invalidBlocks(): readonly { readonly hash: Uint8Array; readonly sender: Uint8Array }[];
  /** Hashes of blocks that were recorded as invalid, and are valid now. @spec 40 §17.4 */
  revisedBlocks(): readonly Uint8Array[];
  /**
   * Whether a valid block's state is permanently missing: the block lies beside the block that a replica began with.
   * @spec 50 §1.13
   */
  lacksState(hash: Uint8Array): boolean;
  /** Whether there are such blocks. */
  readonly lacksStates: boolean;
  /** The last finalized block; `undefined` before an approved block was inserted. */
  lastFinalized(): BlockMetadata | undefined;
  /** The block that the chain was begun with. */
  approvedBlock(): BlockMetadata | undefined;
  children(hash: Uint8Array): readonly Uint8Array[];
  /** One more than the highest height of a valid block; 0 when there is none. */
  nextBlockNumber(): bigint;
  /** Hashes of the valid blocks from one height to another, both included, ascending. */
  blocksByHeight(
    from: bigint,
    to: bigint,
    limit?: number,
  ): Iterable<{ readonly height: bigint; readonly hash: Uint8Array }>;
  /** Every block of the DAG that has a deploy of this signature; the one inserted last comes last. */
  blocksOfDeploy(signature: Uint8Array): readonly Uint8Array[];
}
