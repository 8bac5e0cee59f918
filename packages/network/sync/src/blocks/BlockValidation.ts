import { equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import { type Block, encodePacket, hashKey } from "@vedette/protocol";
import { isDiskFull, type WritableTables } from "@vedette/store";
import type { OutOfOrderBlocks } from "../history/OutOfOrderBlocks.js";
import type {
  BlockOutcome,
  BlockStoreView,
  BlockToProcess,
  BlockValidationPort,
  SyncDagView,
} from "../ports/ChainPort.js";
import type { PeersPort } from "../ports/PeersPort.js";
import type { EmitSyncEvent } from "../SyncEvent.js";
import type { BlockBuffer, BufferChange } from "./BlockBuffer.js";
import type { BlockCopyOrigins } from "./BlockCopyOrigins.js";
import type { BlockDependencyScheduler } from "./BlockDependencyScheduler.js";
import type { BlockRetriever } from "./BlockRetriever.js";
import type { LargeBlocks } from "./LargeBlocks.js";
import type { RecentFailures } from "./RecentFailures.js";
import type { SettledBlockAdmission } from "./SettledBlockAdmission.js";

/** The parts that a validation works with. */
export interface BlockValidationOptions {
  readonly blocks: BlockStoreView;
  readonly dag: SyncDagView;
  readonly buffer: BlockBuffer;
  readonly retriever: BlockRetriever;
  readonly validation: BlockValidationPort;
  readonly peers: PeersPort;
  readonly emit: EmitSyncEvent;
  readonly nowMs: () => number;
  /** Makes a state usable that a block goes on from, wherever it has to come from. */
  readonly provideState?: (root: Uint8Array, signal: AbortSignal) => Promise<void>;
  /** Blocks older than this are not announced to peers, which have them anyway. */
  readonly announceAgeMs?: number;
}

/** The state that a validation shares with the intake of blocks. */
export interface BlockValidationParts {
  readonly failures: RecentFailures;
  readonly copies: BlockCopyOrigins;
  readonly offers: OutOfOrderBlocks;
  readonly large: LargeBlocks;
  readonly placement: BlockDependencyScheduler;
  readonly settled: SettledBlockAdmission;
  /** Keys of hashes of which no other copy is looked at. */
  readonly inProcess: Set<string>;
  /**
   * Called with a block that is in the DAG, so that those that wait for it go on.
   *
   * @param resolution of the buffer, where it was written together with the block
   */
  readonly release: (hash: Uint8Array, resolution: BufferChange | undefined) => void;
}

/** Blocks that are judged together. */
interface Round {
  readonly ready: BlockToProcess[];
  /** Blocks of the round that still lack a dependency. */
  readonly incomplete: Block[];
  /** The buffer's resolutions, if they were written together with their block. */
  readonly resolutions: Map<Block, BufferChange | undefined>;
}

/** How a block was judged. */
interface Settling {
  readonly durationMs: number;
  readonly isAwaited: boolean;
  /** The buffer's resolution, if it was written together with the block. */
  readonly resolution: BufferChange | undefined;
}

const defaultAnnounceAgeMs = 600_000;

/** Validates blocks that have their dependencies in the DAG, and acts on the outcomes. @spec 40 §4.4 steps 4–8 */
export class BlockValidation {
  readonly #use: BlockValidationOptions;
  readonly #parts: BlockValidationParts;

  constructor(use: BlockValidationOptions, parts: BlockValidationParts) {
    this.#use = use;
    this.#parts = parts;
  }

  /**
   * Blocks that are ready together are judged together, as rnode judges them in parallel. Rejects only where a
   * store fails.
   *
   * @spec 40 §5.8
   */
  async run(hashes: readonly Uint8Array[], signal: AbortSignal): Promise<void> {
    const { nowMs, emit } = this.#use;
    const { inProcess, offers, placement, settled } = this.#parts;
    const round: Round = { ready: [], incomplete: [], resolutions: new Map() };
    for (const hash of hashes) await this.#prepare(hash, round, signal);
    const { ready, incomplete, resolutions } = round;
    for (const { block } of ready) emit({ type: "blockValidationStarted", block });
    const [only, second] = ready;
    if (only !== undefined && second === undefined) this.#reportNext(only.block);
    const startedMs = nowMs();
    const outcomes = await this.#outcomesOf(round);
    const durationMs = (nowMs() - startedMs) / ready.length;
    for (const { block, isAwaited, outcome } of outcomes)
      this.#settle(block, outcome, { durationMs, isAwaited, resolution: resolutions.get(block) });
    for (const hash of hashes) {
      inProcess.delete(hashKey(hash));
      offers.remove(hash);
    }
    for (const block of incomplete) placement.place(block, undefined);
    for (const { block, outcome } of outcomes)
      if (isUndecidable(outcome) && settled.isAllowed(block)) await settled.admit(block);
    for (const { block, isAwaited, outcome } of outcomes)
      if (!isAwaited && !isOfMachine(outcome)) this.#seekSecond(block.hash);
  }

  /** Adds a block to the round; one that need not or cannot be judged now is settled, left out, or counted incomplete. */
  async #prepare(hash: Uint8Array, { ready, incomplete, resolutions }: Round, signal: AbortSignal): Promise<void> {
    const { blocks, buffer } = this.#use;
    const { failures, copies, offers, large, placement } = this.#parts;
    await large.yieldNow();
    const block = offers.find(hash) ?? blocks.get(hash);
    if (block === undefined) return;
    large.handled(block);
    await large.yieldNow();
    if (!placement.isComplete(block)) {
      if (offers.has(hash)) blocks.put(block);
      incomplete.push(block);
      return;
    }
    // A failure that may be forged in a block's name counts only with a second copy (see `receive`).
    const isAwaited = buffer.isAwaited(hash) && copies.isSecond(hash);
    if (failures.isFutile(hash, this.#seen(isAwaited))) return;
    const lack = await this.#provideState(block, signal);
    const recorded = (tables: WritableTables) => void resolutions.set(block, buffer.resolveIn(tables, hash));
    const isNeeded = isAwaited && this.#isNeeded(hash);
    if (lack === undefined) ready.push({ block, isAwaited, isNeeded, recorded });
    else this.#settle(block, lack, { durationMs: 0, isAwaited, resolution: undefined });
  }

  /** @throws {StoreError} where the disk is full; any other failure is every block's outcome */
  async #outcomesOf({ ready, resolutions }: Round) {
    const { validation, dag, buffer } = this.#use;
    const outcomes = await validation.process(ready).catch((error: unknown) => {
      if (!isDiskFull(error)) return ready.map(() => failed(error));
      // Blocks of the round before that one are on disk; until there is room, the status counts what waits.
      for (const { block } of ready) {
        const resolution = resolutions.get(block);
        if (resolution !== undefined && dag.has(block.hash)) buffer.take(resolution);
      }
      throw error;
    });
    return ready.map(({ block, isAwaited }, index) => ({ block, isAwaited, outcome: outcomes[index]! }));
  }

  /** Others wait for a block that was refused without being recorded: another copy decides. @spec 40 §4.2 */
  #seekSecond(hash: Uint8Array): void {
    const { buffer, dag, retriever } = this.#use;
    if (dag.has(hash) || !buffer.isAwaited(hash)) return;
    if (this.#parts.failures.isFutile(hash, this.#seen(false))) return;
    retriever.admit(hash, undefined, "MissingDependencyRequested", { avoided: this.#parts.copies.senderOf(hash) });
  }

  /** Announces to the chain the block that is most likely to be validated after this one. */
  #reportNext(block: Block): void {
    const { buffer, blocks, validation } = this.#use;
    if (validation.announceNext === undefined) return;
    const hash = buffer.waitingOnlyFor(block.hash);
    const next = this.#parts.offers.waitingOnlyFor(block.hash) ?? (hash === undefined ? undefined : blocks.get(hash));
    if (next?.parents.length !== 1 || !equalBytes(next.parents[0]!, block.hash)) return;
    if (equalBytes(next.body.state.preStateHash, block.body.state.postStateHash)) validation.announceNext(next, block);
  }

  /** Fetches the state that a block goes on from, where it is absent. @returns why it cannot be had */
  async #provideState(block: Block, signal: AbortSignal): Promise<BlockOutcome | undefined> {
    const { provideState, dag } = this.#use;
    const [parent, second] = block.parents;
    const { preStateHash } = block.body.state;
    if (provideState === undefined || parent === undefined || second !== undefined) return undefined;
    // Only a state that a known block leads to is looked for: a creator without stake must not send us after others.
    const known = dag.postState(parent);
    if (known === undefined || !equalBytes(known, preStateHash)) return undefined;
    return provideState(preStateHash, signal).then(() => undefined, failed);
  }

  #settle(block: Block, outcome: BlockOutcome, { durationMs, isAwaited, resolution }: Settling): void {
    const { emit, dag } = this.#use;
    if (outcome.kind === "failed") {
      emit({ type: "blockFailed", block, reason: outcome.reason });
      // Some blocks of a group may have been recorded before the machine failed.
      if (dag.has(block.hash)) this.#parts.release(block.hash, resolution);
      else this.#note(block, outcome, isAwaited);
      return;
    }
    const status = outcome.kind === "valid" ? "Valid" : outcome.status;
    emit({ type: "blockValidated", block, status, durationMs });
    if (outcome.kind === "valid" || outcome.inDag) {
      this.#announce(block);
      this.#parts.release(block.hash, resolution);
      return;
    }
    this.#note(block, outcome, isAwaited);
    this.#parts.copies.refused(block.hash);
    this.#forgetOfUnbonded(block);
  }

  /** Any key can sign any number of blocks: a refused one that nothing refers to takes no room on the disk. */
  #forgetOfUnbonded({ hash, sender }: Block): void {
    const { blocks, buffer, dag } = this.#use;
    if (!dag.isBonded(sender) && !buffer.isAwaited(hash)) blocks.forget?.(hash);
  }

  /** A block that is not in the DAG may be tried again; not for ever, where it would fail in the same way. */
  #note(block: Block, outcome: BlockOutcome, isAwaited: boolean): void {
    const { dag, emit } = this.#use;
    const isException = outcome.kind === "failed";
    const circumstances = { isException, revisions: dag.revisions() };
    // The clock goes on by itself.
    const isTimely = outcome.kind === "invalid" && outcome.status === "InvalidTimestamp";
    const seen = isTimely || isOfMachine(outcome) ? undefined : this.#seen(isAwaited);
    const tries = this.#parts.failures.add(block.hash, { ...circumstances, seen });
    if (outcome.kind === "failed" && seen !== undefined && tries === 1)
      emit({ type: "blockUnjudged", block, reason: outcome.reason });
  }

  /** Returns the facts that the check of a block depends on, beside the block. */
  #seen(isAwaited: boolean): string {
    return `${this.#use.dag.changes()} ${isAwaited}`;
  }

  /**
   * Whether a validator with stake has made one of the blocks that wait for this one: references between blocks of
   * unbonded creators do not count.
   */
  #isNeeded(hash: Uint8Array): boolean {
    const { buffer, blocks, dag } = this.#use;
    return buffer.waitingFor(hash).some((one) => {
      const waiting = blocks.get(one);
      return waiting !== undefined && dag.isBonded(waiting.sender);
    });
  }

  /** Announces valid and invalid blocks alike to peers, but none that is not in the DAG. @spec 40 §4.4 step 7 */
  #announce(block: Block): void {
    const { peers, emit, nowMs, announceAgeMs = defaultAnnounceAgeMs } = this.#use;
    if (nowMs() - Number(block.header.timestamp) > announceAgeMs) return;
    const content = encodePacket("BlockHashMessage", { hash: block.hash, blockCreator: block.sender });
    void peers.broadcast("BlockHashMessage", content);
    emit({ type: "hashSent", hash: block.hash });
  }
}

function failed(error: unknown): BlockOutcome {
  return { kind: "failed", reason: errorText(error), isOfMachine: true };
}

function isOfMachine(outcome: BlockOutcome): boolean {
  return outcome.kind === "failed" && outcome.isOfMachine === true;
}

/** Whether a block itself is what cannot be judged. */
function isUndecidable(outcome: BlockOutcome): boolean {
  return outcome.kind === "failed" && !isOfMachine(outcome);
}
