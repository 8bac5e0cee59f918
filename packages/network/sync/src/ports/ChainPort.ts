import type { BlockFloor } from "@vedette/chain";
import type { ApprovedBlock, Block } from "@vedette/protocol";
import type { WritableTables } from "@vedette/store";

/** The stored blocks: well-formed, whether validated or not. @spec 40 §4.4 */
export interface BlockStoreView {
  has(hash: Uint8Array): boolean;
  get(hash: Uint8Array): Block | undefined;
  /** As it is sent to peers. */
  bytes(hash: Uint8Array): Uint8Array | undefined;
  /** Writes a large block part by part, so that to put it costs little; nothing for others. @spec 40 §4.9 */
  prepare(block: Block): Promise<void>;
  put(block: Block): void;
  /** Forgets a block that is not in the DAG and that nothing refers to; left out where all are kept. */
  forget?(hash: Uint8Array): void;
}

/** The parts of the DAG that the synchronization reads. @spec 40 §4.4, §6.1 */
export interface SyncDagView {
  has(hash: Uint8Array): boolean;
  /** Every block that is the latest message of some validator, once; the valid ones first. */
  latestMessages(): Iterable<Uint8Array>;
  /** When the valid ones of these blocks were made, in Unix milliseconds. */
  latestTimes(): Iterable<bigint>;
  /** Blocks that all should know of, for what they prove against validators. @spec 40 §16.5 */
  unpunishedProofs(): Iterable<Uint8Array>;
  /** `undefined` only before there is an approved block. */
  lastFinalized(): Uint8Array | undefined;
  /** Blocks that a block slashes for, where they have to be judged before it. @spec 40 §17.2 */
  slashedDependencies(block: Block): readonly Uint8Array[];
  /** Goes up with every change of the DAG. @spec 40 §17.3 */
  changes(): number;
  /** Verdicts that were taken back. @spec 40 §17.4 */
  revisions(): number;
  /** Whether an equivocation record lists the block, which then counts as validated. @spec 40 §4.4 step 5 */
  isDetectedEquivocation(hash: Uint8Array): boolean;
  /** Whether the key has a latest message, that is, is or was bonded. */
  knowsValidator(publicKey: Uint8Array): boolean;
  /** Whether the key has stake, as far as is known. @spec 40 §4.8 */
  isBonded(publicKey: Uint8Array): boolean;
  /** Stake by validator (`hashKey` of the public key), in the last finalized block. */
  stakes(): ReadonlyMap<string, bigint>;
  /** Whether a validator (`hashKey` of the public key) has made its latest message itself. */
  hasSpoken(validatorKey: string): boolean;
  /** The state that a block leads to, to be fetched where a block on it is judged; `undefined` if it need not exist. */
  postState(hash: Uint8Array): Uint8Array | undefined;
  /** Highest block number. */
  height(): bigint;
  /** Blocks of some heights, both included, ascending. */
  blocksByHeight(from: bigint, to: bigint): Iterable<{ readonly height: bigint; readonly hash: Uint8Array }>;
}

/** The outcome of processing a block. @spec 40 §4.4 step 7, §5.9 */
export type BlockOutcome =
  | { readonly kind: "valid" }
  /** `inDag`: recorded as invalid, so that later blocks may refer to it. */
  | { readonly kind: "invalid"; readonly status: string; readonly inDag: boolean }
  /** It could not be judged. `isOfMachine`: with more time, memory or peers it might be; else it might on another DAG. */
  | { readonly kind: "failed"; readonly reason: string; readonly isOfMachine?: boolean };

/**
 * Decodes the BlockMessage of a peer and checks the signatures of its deploys. What takes long is done elsewhere than on
 * the calling thread.
 *
 * @throws {WireError} @spec 40 §1.1
 */
export type DecodePeerBlock = (content: Uint8Array) => Block | Promise<Block>;

/** Validates blocks and records the outcome, finality included. @spec 40 §4.4, §5 */
export interface BlockValidationPort {
  /** Form and signature. @returns why the block is malformed @spec 40 §5.2 */
  checkForm(block: Block): string | undefined;
  /**
   * Announces, before its parent is validated, a stored block that waits for nothing else and goes on from the parent's
   * state, so that its execution can begin early. It may never be validated.
   */
  announceNext?(block: Block, parent: Block): void;
  /**
   * Validates blocks that are ready at the same time, and writes the outcomes. Called again when it has answered.
   *
   * @returns one outcome for each block, in the same order @spec 40 §4.4, §5.8
   */
  process(ready: readonly BlockToProcess[]): Promise<readonly BlockOutcome[]>;
  /**
   * Adds a block below the node's first one to the DAG without judging it, because another block needs it; only on
   * networks with that rule. @returns whether it is there now and was not before @spec 61 §16.5
   */
  admitSettled?(block: Block): Promise<boolean>;
}

/** A block that has all its dependencies in the DAG. */
export interface BlockToProcess {
  readonly block: Block;
  /** Whether another block waits for this one, which decides about equivocations. @spec 40 §5.8 */
  readonly isAwaited: boolean;
  /** Whether a block of a validator with stake refers to it, so that it is recorded for any creator. @spec 40 §5.9 */
  readonly isNeeded: boolean;
  /** To be called within the transaction that puts the block into the DAG, if there is one. */
  readonly recorded: (tables: WritableTables) => void;
}

/** A block of an imported state, with what the DAG must know of it. @spec 40 §3.9 */
export interface ImportedBlock {
  readonly hash: Uint8Array;
  readonly isInvalid: boolean;
}

/** Where a node's chain begins. @spec 40 §3.5 */
export interface ApprovedBlockPort {
  /** The approved block, once the node has completely begun. */
  get(): ApprovedBlock | undefined;
  /**
   * Begins at genesis: replays it from the empty state, then writes DAG entry and approved block in one transaction.
   */
  adoptGenesis(approved: ApprovedBlock): Promise<BlockOutcome>;
  /**
   * Begins at an imported state: writes all DAG entries and the approved block in one transaction, in place of
   * whatever an attempt that was broken off has left.
   *
   * @param blocks stored already; in the order in which they are to be entered, without the approved block itself
   * @param floors of them, written with them, on f1r3node networks
   */
  adoptImported(
    approved: ApprovedBlock,
    blocks: readonly ImportedBlock[],
    floors?: readonly BlockFloor[],
  ): Promise<void>;
}
