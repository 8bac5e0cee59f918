import { emptyBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import {
  activeValidators,
  type BlockFromDeploys,
  commitEmptyState,
  type DeployNote,
  type DeployTry,
  ExecutionError,
  epochLength,
  findMergeable,
  type InvalidBlock,
  isEmptyNote,
  KnownBonds,
  type LeftOutDeploy,
  type MergedState,
  mergeableIdOf,
  playBlock,
  playGenesis,
  printReplayFailure,
  putMergeable,
  replayBlock,
  rnodeExecution,
  StateMerger,
  writeMergeable,
  writeOutcome,
} from "@vedette/execution";
import { type Block, type Bond, type Deploy, decodeBlock, rnode, type SystemDeploy } from "@vedette/protocol";
import type { BlockData } from "@vedette/rholang";
import type { Store } from "@vedette/store";
import { widestTermLimits, withTermLimits } from "@vedette/terms";
import type { StateStoreOptions } from "@vedette/tuplespace";
import { encodePlayed } from "./encodePlayed.js";
import { type ExecutionLimits, isLimitOfExecution } from "./executionLimits.js";
import { requireAllDeploys } from "./requireAllDeploys.js";
import { StateStoreWriter } from "./StateStoreWriter.js";

/** A block to execute. Plain values, so that it can cross threads. */
export interface ReplayCall {
  /** The block message as received. */
  readonly block: Uint8Array;
  readonly preState: Uint8Array;
  readonly invalidBlocks: readonly InvalidBlock[];
}

/** Blocks to merge, as received, on top of a state. */
export interface MergeCall {
  readonly baseState: Uint8Array;
  readonly blocks: readonly Uint8Array[];
  /** By evidence: the base block, last, and its ancestors above the gate. @spec 40 §16.7 */
  readonly beside?: readonly Uint8Array[];
}

/** The result of a merge. @spec 40 §12 */
export type MergeAnswer =
  | (MergedState & { readonly kind: "merged" })
  /**
   * Blocks, as numbers in the call (those beside come last), without stored states or changes of number channels: to be
   * executed first.
   */
  | { readonly kind: "unexecuted"; readonly indexes: readonly number[] };

/** The result of a replay. @spec 41 §4.4 */
export type ReplayAnswer =
  | {
      readonly kind: "replayed";
      readonly postStateHash: Uint8Array;
      /** The bonds in that state; left out where another block's state decides them. */
      readonly bonds?: readonly Bond[];
      /** The notes of the deploys; left out if there are none. */
      readonly notes?: readonly DeployNote[];
    }
  /** The block is wrong. */
  | { readonly kind: "failed"; readonly message: string }
  /** Nothing is known of the block: a platform failure, or an exception of rnode's host. */
  | { readonly kind: "exception"; readonly message: string; readonly isLimit: boolean };

/** A block to make. Plain values, so that it can cross threads. */
export interface PlayCall {
  /** The state that the parents leave. */
  readonly preState: Uint8Array;
  readonly blockData: BlockData;
  readonly invalidBlocks: readonly InvalidBlock[];
  readonly deploys: readonly Deploy[];
  /** In this order. */
  readonly tries: readonly DeployTry[];
  /** Slashes, then the close of the block. */
  readonly systemDeploys: readonly Exclude<SystemDeploy, { readonly kind: "empty" }>[];
  /** Deploys that a merge of the parents rejected. */
  readonly rejectedDeploys: readonly Uint8Array[];
  /** Milliseconds for the system deploys. */
  readonly maximumMs: number;
  /** Shared memory of {@link playProgressBytes} bytes, with the present step. */
  readonly progress: SharedArrayBuffer;
}

/** Size of the progress of a play: one number of 32 bits, see {@link playProgress}. */
export const playProgressBytes = 4;

/** The numbers that a play writes: not begun, then 1 and more the place of the deploy that is tried, then the rest. */
export const playProgress = { waiting: 0, closing: -1 } as const;

/** The deploys of a first block to make. */
export interface PlayGenesisCall {
  /** Unix milliseconds. */
  readonly timestamp: bigint;
  readonly blockNumber: bigint;
  readonly deploys: readonly Deploy[];
}

/** `played`: the body of the block, in the encoding of a block that has nothing else. */
export type PlayAnswer =
  | {
      readonly kind: "played";
      readonly block: Uint8Array;
      readonly leftOut: readonly LeftOutDeploy[];
      readonly playedMs: number;
    }
  | { readonly kind: "failed"; readonly message: string };

interface PlaceOfBlock {
  readonly sender: Uint8Array;
  readonly sequenceNumber: number;
  readonly blockNumber: bigint;
  readonly rejectedDeploys: readonly Uint8Array[];
}

/**
 * Executes blocks on an rnode network.
 */
export class RnodeExecutor extends StateStoreWriter {
  readonly #merger: StateMerger;
  readonly #limits: ExecutionLimits | undefined;
  readonly #bonds: KnownBonds;

  constructor(store: Store, options: StateStoreOptions = {}, limits?: ExecutionLimits) {
    super(store, options);
    this.#limits = limits;
    this.#bonds = new KnownBonds(this.state, rnodeExecution);
    this.#merger = new StateMerger(this.state, store);
  }

  /** Makes the state on which genesis runs. @returns its root @spec 41 §1.3 */
  makeEmptyState(): Uint8Array {
    return commitEmptyState(this.state, rnodeExecution);
  }

  /** Executes a block and commits the state it leads to. @spec 41 §4.2 */
  replay({ block: bytes, preState, invalidBlocks }: ReplayCall): ReplayAnswer {
    try {
      const block = decodeBlock(bytes, rnode.blockForm);
      const result = replayBlock(this.state, {
        block,
        preState,
        invalidBlocks,
        budget: this.#limits?.replayBudget(),
        keep: (tables, { postState, numberChannels, transfers, notes }) => {
          const id = { ...mergeableIdOf(block), postState };
          writeMergeable(tables, id, numberChannels);
          writeOutcome(tables, id, { transfers, notes });
        },
      });
      if ("failure" in result) {
        const message = `${printReplayFailure(result.failure)} (deploy ${result.deployIndex})`;
        return result.failure.code === "InternalError"
          ? { kind: "exception", message, isLimit: false }
          : { kind: "failed", message };
      }
      this.relieve();
      const { postState: postStateHash, notes } = result;
      const said = notes.every(isEmptyNote) ? {} : { notes };
      return { kind: "replayed", postStateHash, bonds: this.#bonds.of(postStateHash), ...said };
    } catch (error) {
      const isLimit = isLimitOfExecution(error);
      if (error instanceof ExecutionError || isLimit) return { kind: "exception", message: errorText(error), isLimit };
      throw error;
    }
  }

  /** Executes the deploys of a new block and commits the state they lead to. @spec 41 §2.1 */
  play({ rejectedDeploys, maximumMs, progress, ...call }: PlayCall): PlayAnswer {
    const { sender, sequenceNumber, blockNumber } = call.blockData;
    const place = new Int32Array(progress);
    const limits = this.#limits && { ...this.#limits.play, systemMs: maximumMs };
    const begins = (index: number) => void Atomics.store(place, 0, index + 1);
    return this.#made(call.preState, { sender, sequenceNumber, blockNumber, rejectedDeploys }, () =>
      withTermLimits(this.#limits?.playTerms ?? widestTermLimits, () => {
        const played = playBlock(this.state, { ...call, limits, begins });
        Atomics.store(place, 0, playProgress.closing);
        return played;
      }),
    );
  }

  /** Executes the deploys of a first block on the empty state. @spec 41 §5.3 */
  playGenesis(call: PlayGenesisCall): PlayAnswer {
    const preState = this.makeEmptyState();
    const { blockNumber } = call;
    return this.#made(preState, { sender: emptyBytes, sequenceNumber: 0, blockNumber, rejectedDeploys: [] }, () => {
      const played = playGenesis(this.state, { ...call, preState });
      requireAllDeploys(call.deploys, played);
      return { ...played, leftOut: [], playedMs: 0 };
    });
  }

  #made(preStateHash: Uint8Array, place: PlaceOfBlock, play: () => BlockFromDeploys): PlayAnswer {
    try {
      const { postState, deploys, systemDeploys, numberChannels, leftOut, playedMs } = play();
      const { sender, sequenceNumber, blockNumber, rejectedDeploys } = place;
      putMergeable(this.store, { postState, sender, sequenceNumber }, numberChannels);
      const state = { preStateHash, postStateHash: postState, bonds: this.#bonds.of(postState), blockNumber };
      const rejected = rejectedDeploys.map((signature) => ({ signature }));
      const body = { state, deploys, systemDeploys, extraBytes: emptyBytes, rejectedDeploys: rejected };
      return { kind: "played", block: encodePlayed(body, rnode.blockForm), leftOut, playedMs };
    } catch (error) {
      if (!(error instanceof ExecutionError)) throw error;
      return { kind: "failed", message: error.message };
    }
  }

  /** Puts the changes of blocks on top of a base state. @throws {MergeError}, {ExecutionError} @spec 40 §12 */
  merge({ baseState, blocks, beside }: MergeCall): MergeAnswer {
    const merged = blocks.map((bytes) => decodeBlock(bytes, rnode.blockForm));
    const besideBase = beside?.map((bytes) => decodeBlock(bytes, rnode.blockForm));
    const all = [...merged, ...(besideBase ?? [])];
    const indexes = [...all.keys()].filter((index) => !this.#isExecuted(all[index]!));
    return indexes.length > 0
      ? { kind: "unexecuted", indexes }
      : { kind: "merged", ...this.#merger.merge(baseState, merged, besideBase) };
  }

  #isExecuted(block: Block): boolean {
    const { preStateHash, postStateHash } = block.body.state;
    return (
      this.state.hasRoot(preStateHash) &&
      this.state.hasRoot(postStateHash) &&
      findMergeable(this.store, mergeableIdOf(block)) !== undefined
    );
  }

  /** @throws {ExecutionError} `query` */
  bonds(root: Uint8Array): readonly Bond[] {
    return this.#bonds.of(root);
  }

  /** The validators that may propose on a state. @throws {ExecutionError} `query` @spec 41 §7.3 */
  activeValidators(root: Uint8Array): readonly Uint8Array[] {
    return activeValidators(this.state, root, { form: rnodeExecution });
  }

  /** @throws {ExecutionError} `query` @spec 41 §6.9.2 */
  epochLength(root: Uint8Array): bigint {
    return epochLength(this.state, root, { form: rnodeExecution });
  }
}

/** The calls of an executor from other threads. */
export type ExecutorApi = Omit<RnodeExecutor, "dropCaches">;
