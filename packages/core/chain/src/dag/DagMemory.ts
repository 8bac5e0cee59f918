import { hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import type { BlockMetadata, ChainMoment } from "./BlockMetadata.js";
import type { BondSet } from "./BondSet.js";
import type { LatestMessage } from "./DagView.js";
import { type DagUpdate, decodeInvalid } from "./insertBlock.js";
import { finalizedKeys } from "./tableKeys.js";

interface InvalidEntry {
  readonly hash: Uint8Array;
  readonly sender: Uint8Array;
  readonly reason: string | undefined;
}

/** The parts of the DAG that are in memory as a whole: small tables, and values derived from them. @spec 40 §6 */
export class DagMemory {
  /** By the key of the validator. */
  readonly latest = new Map<string, LatestMessage>();
  /** By the key of the block. */
  readonly invalid = new Map<string, InvalidEntry>();
  /** Hashes of the blocks that prove a validator's offence, by its key. */
  readonly offences = new Map<string, readonly Uint8Array[]>();
  /** Number of blocks that were recorded as invalid, and are valid now. */
  revised = 0;
  lastFinalizedHash: Uint8Array | undefined;
  approvedHash: Uint8Array | undefined;
  /** {@link latest} in order, until it changes. */
  sortedLatest: readonly LatestMessage[] | undefined;
  /** The highest valid block, of several the latest; read at the first call, since every status request needs it. */
  newest: ChainMoment | undefined;
  /** Bonds of the last finalized block and of the latest blocks of those that have stake there, until these change. */
  knownBonds: ReadonlySet<BondSet> | undefined;

  /** @throws {StoreError} `damaged` where an entry cannot be read */
  static read(store: Store): DagMemory {
    const memory = new DagMemory();
    for (const [validator, hash] of store.table("latestMessages").range())
      memory.latest.set(hashKey(validator), { validator, hash });
    for (const [hash, value] of store.table("invalidBlocks").range())
      memory.invalid.set(hashKey(hash), { hash, ...decodeInvalid(value) });
    for (const [validator, proof] of store.table("offences").range())
      memory.offences.set(
        hashKey(validator),
        proof.length > 32 ? [proof.subarray(0, 32), proof.subarray(32)] : [proof],
      );
    memory.revised = store.table("revisedBlocks").count();
    const finalized = store.table("lastFinalized");
    memory.lastFinalizedHash = finalized.get(finalizedKeys.lastFinalized);
    memory.approvedHash = finalized.get(finalizedKeys.approved);
    return memory;
  }

  /** Applies an insertion that was written. */
  insert({ metadata, reason, latestMessages, offence, isLastFinalized, approved }: DagUpdate): void {
    const { hash, sender } = metadata;
    if (metadata.invalid) this.invalid.set(metadata.key, { hash, sender, reason });
    else this.#reached(metadata);
    this.#setLatest(latestMessages);
    if (offence !== undefined) {
      const { validatorKey, first, second } = offence;
      this.offences.set(validatorKey, second === undefined ? [first] : [first, second]);
    }
    if (isLastFinalized) this.lastFinalizedHash = hash;
    if (approved) this.approvedHash = hash;
  }

  /** Applies that an invalid block became valid, and the latest messages of the validators that it bonds. */
  revise(block: BlockMetadata, bonded: readonly LatestMessage[]): void {
    this.#reached(block);
    this.invalid.delete(block.key);
    this.#setLatest(bonded);
    this.revised += 1;
  }

  #setLatest(messages: readonly LatestMessage[]): void {
    for (const message of messages) this.latest.set(hashKey(message.validator), message);
    if (messages.length > 0) this.sortedLatest = undefined;
    this.knownBonds = undefined;
  }

  /** Takes note of a valid block. */
  #reached(block: BlockMetadata): void {
    if (this.newest !== undefined) this.newest = latestOf(this.newest, block);
  }
}

/** The later of two moments: one that is known, and that of a block. */
export function latestOf(moment: ChainMoment, { number: height, timestamp }: BlockMetadata): ChainMoment {
  const isNewer = height > moment.height || (height === moment.height && timestamp > moment.timestamp);
  return isNewer ? { height, timestamp } : moment;
}
