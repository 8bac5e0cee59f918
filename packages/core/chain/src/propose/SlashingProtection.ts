import { equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, type Dialect, hashBlock, hashKey, shortHash } from "@vedette/protocol";
import { isDiskFull } from "@vedette/store";
import type { ChainEvent } from "../ChainEvent.js";
import type { DagView } from "../dag/DagView.js";
import type { OwnProposals } from "./OwnProposals.js";
import type { EmitProposeEvent } from "./ProposeEvent.js";

/** The inputs of the guard. */
export interface SlashingProtectionOptions {
  readonly dag: DagView;
  readonly ownKey: Uint8Array;
  readonly proposals: OwnProposals;
  readonly dialect: Dialect;
  readonly emit: EmitProposeEvent;
}

/**
 * Prevents two blocks of this validator's key with one sequence number, which would cost the stake.
 *
 * Blocks of the key come from elsewhere when the data directory was lost or is an older copy, or when a second
 * validator runs with the key. The first case heals: the sequence numbers go on from the block that came. In the other
 * case nothing more is proposed.
 *
 * @spec 40 §2.1 (own key seen), §5.8
 */
export class SlashingProtection {
  readonly #use: SlashingProtectionOptions;
  readonly #ownKey: string;
  /** The last block that this process made. */
  #made: Uint8Array | undefined;
  #inserting: Uint8Array | undefined;
  #other: { readonly hash: Uint8Array } | undefined;
  #doubt: string | undefined;

  constructor(use: SlashingProtectionOptions) {
    this.#use = use;
    this.#ownKey = hashKey(use.ownKey);
    this.#reportOfLost();
  }

  /** Why no block may be made now. */
  blockedReason(): string | undefined {
    const { dag, proposals } = this.#use;
    if (this.#other !== undefined) return secondValidator(this.#other.hash);
    if (this.#doubt !== undefined) return this.#doubt;
    if (dag.hasSlashingEvidence(this.#ownKey))
      return "this validator's key is known to have broken the rules; its stake is lost";
    const latestHash = dag.latestMessage(this.#ownKey);
    const latest = latestHash === undefined ? undefined : dag.find(latestHash);
    if (latest?.invalid === true && latest.senderKey === this.#ownKey)
      return `the last block of this validator's key, ${shortHash(latest.hash)}, is recorded as invalid`;
    const last = proposals.last();
    if (last !== undefined && (latest === undefined || latest.sequenceNumber < last.sequenceNumber))
      return `the own block ${shortHash(last.hash)} with sequence number ${last.sequenceNumber} has not come from the network yet`;
    if (this.#made !== undefined && latest !== undefined && !equalBytes(this.#made, latest.hash)) {
      this.#other = latest;
      this.#report(latest.hash, latest.sequenceNumber);
      return secondValidator(latest.hash);
    }
    return undefined;
  }

  /** A block of ours is about to be inserted. */
  inserting(block: Block): void {
    this.#inserting = block.hash;
  }

  /**
   * Its insertion broke off. Where the disk was full the transaction was written or undone as a whole, as the DAG shows:
   * if it was undone the block was not announced, so its sequence number is free. After another failure the block may be
   * on disk or not, which only a restart shows.
   *
   * @returns whether the block is certainly stored
   */
  insertionFailed(block: Block, error: unknown): boolean {
    if (isDiskFull(error)) {
      const isStored = this.#use.dag.has(block.hash);
      if (isStored) this.#made = block.hash;
      return isStored;
    }
    const reason = errorText(error);
    this.#doubt = `it is not certain that block ${shortHash(block.hash)} was stored (${reason}); start the node again`;
    return false;
  }

  /** It is in the DAG now. */
  inserted(block: Block): void {
    this.#made = block.hash;
  }

  onChainEvent(event: ChainEvent): void {
    if (event.type !== "blockAdded" && event.type !== "blockRefused") return;
    const { block } = event;
    if (hashKey(block.sender) !== this.#ownKey) return;
    if (this.#inserting !== undefined && equalBytes(this.#inserting, block.hash)) return;
    // Only what has the hash that it states was signed as a block by our key.
    if (!equalBytes(hashBlock(block, this.#use.dialect), block.hash)) return;
    const isRefused = event.type === "blockRefused" && event.status.status.endsWith("Equivocation");
    const isEquivocation = isRefused || this.#use.dag.hasSlashingEvidence(this.#ownKey);
    if (this.#made === undefined && !isEquivocation) {
      if (event.type === "blockAdded") this.#use.emit({ type: "ownBlockRecovered", block });
      return;
    }
    this.#other = { hash: Uint8Array.from(block.hash) };
    this.#report(block.hash, block.sequenceNumber);
  }

  /** At the start, the chain may go on from other blocks than those that this node made. */
  #reportOfLost(): void {
    const { dag, proposals } = this.#use;
    const last = proposals.last();
    const latest = dag.latestMessage(this.#ownKey);
    const found = latest === undefined ? undefined : dag.find(latest);
    if (last === undefined || found === undefined || found.senderKey !== this.#ownKey) return;
    if (!equalBytes(found.hash, last.hash) && found.sequenceNumber >= last.sequenceNumber)
      this.#report(found.hash, found.sequenceNumber);
  }

  #report(hash: Uint8Array, sequenceNumber: number): void {
    this.#use.emit({ type: "ownKeyElsewhere", hash, sequenceNumber });
  }
}

function secondValidator(hash: Uint8Array): string {
  return (
    `block ${shortHash(hash)} was made elsewhere with this validator's key: a second validator with the same key ` +
    "seems to run; stop one of them, then start this node again"
  );
}
