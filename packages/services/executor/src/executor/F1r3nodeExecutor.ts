import { emptyBytes, equalBytes } from "@vedette/crypto";
import { errorText } from "@vedette/errors";
import {
  ExecutionError,
  F1r3nodeStates,
  type GenesisToken,
  isEmptyNote,
  type MergeableId,
  printReplayFailure,
  tokenMetadata,
} from "@vedette/execution";
import { type Block, type Bond, decodeBlock, f1r3node, hashKey, type RejectedDeploy } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import { widestTermLimits, withTermLimits } from "@vedette/terms";
import { f1r3nodeSpace, MergeError, type MergeFailure, type StateStoreOptions } from "@vedette/tuplespace";
import { encodePlayed } from "./encodePlayed.js";
import { type ExecutionLimits, isLimitOfExecution } from "./executionLimits.js";
import {
  type PlayAnswer,
  type PlayCall,
  type PlayGenesisCall,
  playProgress,
  type ReplayAnswer,
  type ReplayCall,
} from "./RnodeExecutor.js";
import { requireAllDeploys } from "./requireAllDeploys.js";
import { StateStoreWriter } from "./StateStoreWriter.js";

/** A block of a merge: its bytes may be left out where the executor has seen it lately. */
export interface ScopeBlock {
  readonly hash: Uint8Array;
  /** As received. */
  readonly bytes?: Uint8Array | undefined;
}

/** Parents to merge, as the checks of a block request it. @spec 61 §12.3 */
export interface MergeScopeCall {
  /** Post-state of the anchor. */
  readonly baseState: Uint8Array;
  /** The blocks to merge, in ascending order of their hashes. */
  readonly merged: readonly ScopeBlock[];
  /** The anchor's own blocks since the parents parted. */
  readonly lineage: readonly ScopeBlock[];
  /** Signatures with effects in the main parent's state. */
  readonly settled: ReadonlySet<string>;
  readonly lateUpTo: bigint;
  /** The rejections that blocks of the scope have recorded. */
  readonly recorded: readonly RejectedDeploy[];
  /** How often deploys were given up before, by hex of the signature, where that decides. */
  readonly priorRejections: ReadonlyMap<string, number>;
}

/** The result of the merge. @spec 61 §12 */
export type MergeScopeAnswer =
  | {
      readonly kind: "merged";
      readonly stateHash: Uint8Array;
      readonly records: readonly RejectedDeploy[];
      readonly applied: readonly Uint8Array[];
      /** Hashes of the merged blocks with slashes that were given up. @spec 61 §15.3 */
      readonly unslashed: readonly Uint8Array[];
    }
  /** Hashes of blocks with bytes that must be given. */
  | { readonly kind: "unknown"; readonly hashes: readonly Uint8Array[] }
  /** Hashes of blocks without stored states or changes of number channels: to be executed first. */
  | { readonly kind: "unexecuted"; readonly hashes: readonly Uint8Array[] }
  /** The blocks' statements contradict each other: each node finds the same. */
  | { readonly kind: "unmergeable"; readonly reason: string };

/** Another node's data on the changes that a block's deploys made to number channels. @spec 61 §16.4 */
export interface GivenEntry {
  /** As received. */
  readonly block: Uint8Array;
  readonly entry: Uint8Array;
}

/** The other failures are of what this node has, or of its limits. @spec 61 §14.4 */
const saidByBlocks: ReadonlySet<MergeFailure["code"]> = new Set([
  ...(["joinMissing", "emptyChange", "emptyAction", "numberChannel", "removedAbsent"] as const),
]);

/** Twice the longest walk between a floor and the tips, with some validators side by side. */
const rememberedBlocks = 256;
const rememberedBytes = 32 << 20;

/**
 * Executes blocks on an f1r3node network.
 *
 * @spec 61 §10, §12
 */
export class F1r3nodeExecutor extends StateStoreWriter {
  readonly #states: F1r3nodeStates;
  readonly #limits: ExecutionLimits | undefined;
  readonly #seen = new SeenBlocks();
  /** The floor stays where it is for a while. */
  #committee: { readonly root: Uint8Array; readonly bonds: readonly Bond[] } | undefined;

  constructor(store: Store, options: StateStoreOptions = {}, limits?: ExecutionLimits) {
    super(store, { ...options, form: f1r3nodeSpace });
    this.#states = new F1r3nodeStates(store, this.state);
    this.#limits = limits;
  }

  /** Makes the state on which genesis runs. @returns its root @spec 61 §2.3 */
  makeEmptyState(): Uint8Array {
    return this.#states.makeEmpty();
  }

  /** Executes a block and commits the state it leads to. @spec 61 §10 */
  replay({ block: bytes, preState, invalidBlocks }: ReplayCall): ReplayAnswer {
    try {
      const block = decodeBlock(bytes, f1r3node.blockForm);
      const budget = this.#limits?.replayBudget();
      const result = this.#states.replay({ block, preState, invalidBlocks, budget });
      if ("failure" in result) {
        const message = `${printReplayFailure(result.failure)} (deploy ${result.deployIndex})`;
        return result.failure.code === "InternalError"
          ? { kind: "exception", message, isLimit: false }
          : { kind: "failed", message };
      }
      this.relieve();
      const { postState: postStateHash, notes } = result;
      return { kind: "replayed", postStateHash, ...(notes.every(isEmptyNote) ? {} : { notes }) };
    } catch (error) {
      const isLimit = isLimitOfExecution(error);
      const isOfBlock = error instanceof ExecutionError || error instanceof MergeError;
      if (isOfBlock || isLimit) return { kind: "exception", message: errorText(error), isLimit };
      throw error;
    }
  }

  /**
   * Executes the deploys of a new block and commits the state they lead to. The block's maker adds the other
   * statements: the answer has neither bonds nor rejected deploys.
   *
   * @spec 61 §10
   */
  play({ maximumMs, progress, rejectedDeploys: _, ...call }: PlayCall): PlayAnswer {
    const place = new Int32Array(progress);
    const limits = this.#limits && { ...this.#limits.play, systemMs: maximumMs };
    const begins = (index: number) => void Atomics.store(place, 0, index + 1);
    try {
      const { postState, deploys, systemDeploys, leftOut, playedMs } = withTermLimits(
        this.#limits?.playTerms ?? widestTermLimits,
        () => this.#states.play({ ...call, limits, begins }),
      );
      Atomics.store(place, 0, playProgress.closing);
      this.relieve();
      const { blockNumber } = call.blockData;
      const state = { preStateHash: call.preState, postStateHash: postState, bonds: [], blockNumber };
      const body = { state, deploys, systemDeploys, extraBytes: emptyBytes, rejectedDeploys: [] };
      return { kind: "played", block: encodePlayed(body, f1r3node.blockForm), leftOut, playedMs };
    } catch (error) {
      if (!(error instanceof ExecutionError || error instanceof MergeError)) throw error;
      return { kind: "failed", message: error.message };
    }
  }

  /** Executes the deploys of a first block on the empty state. @spec 61 §11 */
  playGenesis(call: PlayGenesisCall): PlayAnswer {
    try {
      const { preState: preStateHash, postState: postStateHash, deploys } = this.#states.playGenesis(call);
      requireAllDeploys(call.deploys, { deploys: deploys.filter(({ failed }) => !failed) });
      const state = { preStateHash, postStateHash, bonds: this.stakes(postStateHash), blockNumber: call.blockNumber };
      const body = { state, deploys, systemDeploys: [], extraBytes: emptyBytes, rejectedDeploys: [] };
      return { kind: "played", block: encodePlayed(body, f1r3node.blockForm), leftOut: [], playedMs: 0 };
    } catch (error) {
      if (!(error instanceof ExecutionError || error instanceof MergeError)) throw error;
      return { kind: "failed", message: error.message };
    }
  }

  /** Puts what can be kept of blocks on top of a base state. @throws {MergeError}, {ExecutionError} @spec 61 §12.3 */
  mergeScope({ merged, lineage, ...rest }: MergeScopeCall): MergeScopeAnswer {
    const blocks = new Map<string, Block>();
    const unknown: Uint8Array[] = [];
    for (const { hash, bytes } of [...merged, ...lineage]) {
      const block = this.#seen.find(hash, bytes);
      if (block === undefined) unknown.push(hash);
      else blocks.set(hashKey(hash), block);
    }
    if (unknown.length > 0) return { kind: "unknown", hashes: unknown };
    const unexecuted = [...blocks.values()].filter((block) => !this.#states.isExecuted(block));
    if (unexecuted.length > 0) return { kind: "unexecuted", hashes: unexecuted.map(({ hash }) => hash) };
    const blocksOf = (list: readonly ScopeBlock[]) => list.map(({ hash }) => blocks.get(hashKey(hash))!);
    try {
      const found = this.#states.merge({ ...rest, merged: blocksOf(merged), lineage: blocksOf(lineage) });
      const { stateHash, records, applied, rejectedSlashes } = found;
      this.relieve();
      const unslashed = rejectedSlashes.map(({ carrier }) => carrier);
      return { kind: "merged", stateHash, records, applied, unslashed };
    } catch (error) {
      if (!(error instanceof MergeError) || !saidByBlocks.has(error.failure.code)) throw error;
      return { kind: "unmergeable", reason: error.message };
    }
  }

  /**
   * Returns the changes that the deploys of a block made to number channels, in the form that other nodes receive.
   * @spec 61 §12.2, §16.2
   */
  numberEntry(id: MergeableId): Uint8Array | undefined {
    return this.#states.findNumberEntry(id);
  }

  /**
   * Stores another node's data on those changes, if it fits the block's states. @returns its fault
   *
   * @throws {HistoryError} if the states are not stored
   * @spec 61 §16.4
   */
  takeNumberEntry({ block, entry }: GivenEntry): string | undefined {
    try {
      this.#states.takeNumberEntry(decodeBlock(block, f1r3node.blockForm), entry);
      return undefined;
    } catch (error) {
      if (error instanceof MergeError) return error.message;
      throw error;
    }
  }

  /** The bonds of the active validators. @throws {ExecutionError} `query` @spec 61 §13.6 */
  bonds(root: Uint8Array): readonly Bond[] {
    if (this.#committee === undefined || !equalBytes(this.#committee.root, root))
      this.#committee = { root, bonds: this.#states.committee(root) };
    return this.#committee.bonds;
  }

  /** Returns all stakes, also of inactive validators. @throws {ExecutionError} `query` @spec 61 §11 */
  stakes(root: Uint8Array): readonly Bond[] {
    return this.#states.bonds(root);
  }

  /** Returns the chain's facts about its token. @throws {ExecutionError} `query` @spec 61 §11 */
  tokenMetadata(root: Uint8Array): GenesisToken {
    return tokenMetadata(this.state, root);
  }

  /** The validators that may propose on a state. @throws {ExecutionError} `query` @spec 41 §7.3 */
  activeValidators(root: Uint8Array): readonly Uint8Array[] {
    return this.#states.activeValidators(root);
  }

  /** Above which a block is final, in parts per million. @throws {ExecutionError} `query` @spec 61 §13.1 */
  faultTolerance(root: Uint8Array): bigint {
    return this.#states.faultTolerance(root);
  }
}

/** Blocks that were merged lately: those of a chain, which have the hashes that they name. */
class SeenBlocks {
  readonly #blocks = new Map<string, { readonly block: Block; readonly bytes: number }>();
  #bytes = 0;

  #note(key: string, block: Block, bytes: number): void {
    this.#blocks.set(key, { block, bytes });
    this.#bytes += bytes;
    for (const [oldest, { bytes: size }] of this.#blocks) {
      if (this.#blocks.size <= rememberedBlocks && this.#bytes <= rememberedBytes) break;
      this.#blocks.delete(oldest);
      this.#bytes -= size;
    }
  }

  /** @param bytes of the block, where it may not be known */
  find(hash: Uint8Array, bytes: Uint8Array | undefined): Block | undefined {
    const key = hashKey(hash);
    const found = this.#blocks.get(key);
    if (found !== undefined) {
      // The last used entry is last; the first is dropped first.
      this.#blocks.delete(key);
      this.#blocks.set(key, found);
      return found.block;
    }
    if (bytes === undefined) return undefined;
    const block = decodeBlock(bytes, f1r3node.blockForm);
    this.#note(key, block, bytes.length);
    return block;
  }
}
