import { fromHex, toHex } from "@vedette/crypto";
import { dropOldest } from "@vedette/errors";
import { type Block, hashKey, rejectedIdsOf } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import {
  applyChanges,
  type DeployChain,
  MergeError,
  mergeSideParents,
  numberInState,
  resolveConflicts,
  type SideParentBlock,
  type StateStore,
  StateView,
  userDeployIds,
} from "@vedette/tuplespace";
import { ExecutionError } from "../ExecutionError.js";
import { blockChains } from "./blockChains.js";
import { findMergeable, mergeableIdOf } from "./mergeableStore.js";

/** The state that several parents leave together. @spec 40 §12 */
export interface MergedState {
  readonly stateHash: Uint8Array;
  /** Signatures of the user deploys that had to be given up, ascending. */
  readonly rejectedDeploys: readonly Uint8Array[];
  /** In which blocks deploys were given up; also those that another block has, where they are kept. */
  readonly rejections: readonly MergeRejection[];
}

/** A deploy in a block that a merge gave up. @spec 40 §12.3 */
export interface MergeRejection {
  readonly blockHash: Uint8Array;
  /** Signature. */
  readonly deployId: Uint8Array;
}

/** Bounds of a merge. */
export interface MergeLimits {
  /** More chains than this are not merged: each is compared with each. */
  readonly maxChains?: number;
  /** The number of blocks with chains that are cached for the next merge. */
  readonly rememberedBlocks?: number;
}

const defaultMostChains = 500;
/** By evidence a proposer merges no more than 100 blocks. @spec 40 §16.7 */
const defaultRememberedBlocks = 128;

/**
 * Merges the states of blocks beside each other.
 *
 * Neighbouring blocks merge nearly the same blocks, so each block's contribution is cached for a while. One merger is
 * for one network, with one of the two rules.
 *
 * @spec 40 §12.2–§12.4, §16.7, 30 §A
 */
export class StateMerger {
  private readonly states: StateStore;
  private readonly store: Store;
  private readonly maxChains: number;
  private readonly rememberedBlocks: number;
  private readonly remembered = new Map<string, readonly DeployChain[]>();

  /** @param store the one below `states`; has the table of the blocks' number channels */
  constructor(states: StateStore, store: Store, limits: MergeLimits = {}) {
    this.states = states;
    this.store = store;
    this.maxChains = limits.maxChains ?? defaultMostChains;
    this.rememberedBlocks = limits.rememberedBlocks ?? defaultRememberedBlocks;
  }

  /**
   * Applies the changes of blocks to a base state, commits the resulting state, and returns the rejected deploys.
   *
   * @param baseState post-state of the base block
   * @param blocks    the blocks to merge, which were all executed here; see `mergeScope` of the chain
   * @param beside    by evidence: the base block, last, and its ancestors above the gate
   * @throws {MergeError} `mergeableMissing` when a block was not executed here; `tooManyOptions`; the others when
   *   the logs and states of the blocks do not fit together
   * @throws {ExecutionError} `mergeTooLarge`
   * @cost grows with the events of the blocks, with the square of the number of deploys, and with the number of
   *   ways to resolve conflicts, which is bounded
   */
  merge(baseState: Uint8Array, blocks: readonly Block[], beside?: readonly Block[]): MergedState {
    if (beside !== undefined) return this.mergeBeside(baseState, blocks, beside);
    const blockOf = new Map<DeployChain, Uint8Array>();
    for (const block of blocks) {
      for (const chain of this.chainsOf(block)) blockOf.set(chain, block.hash);
      this.checkSize(blockOf.size, blocks);
    }
    const base = new StateView(this.states, baseState);
    const resolution = resolveConflicts([...blockOf.keys()], (channel) => numberInState(base, channel));
    return {
      stateHash: applyChanges(this.states, baseState, resolution.merged),
      rejectedDeploys: resolution.rejectedIds,
      rejections: [...resolution.rejected, ...resolution.repeated].flatMap((chain) =>
        userDeployIds(chain).map((id) => ({ blockHash: blockOf.get(chain)!, deployId: fromHex(id) })),
      ),
    };
  }

  /** @spec 40 §16.7 */
  private mergeBeside(baseState: Uint8Array, blocks: readonly Block[], beside: readonly Block[]): MergedState {
    let chains = 0;
    const placed = (block: Block): SideParentBlock => {
      const own = this.chainsOf(block, true);
      chains += own.length;
      this.checkSize(chains, [...beside, ...blocks]);
      return {
        ...{ key: hashKey(block.hash), parents: block.parents.map(hashKey), chains: own },
        rejectedIds: new Set(rejectedIdsOf(block.body).map(toHex)),
      };
    };
    const hashes = new Map(blocks.map(({ hash }) => [hashKey(hash), hash]));
    const outcome = mergeSideParents(beside.map(placed), blocks.map(placed), new StateView(this.states, baseState));
    return {
      stateHash: applyChanges(this.states, baseState, outcome.kept, true),
      rejectedDeploys: [...outcome.rejectedIds].sort().map(fromHex),
      rejections: [...outcome.rejected, ...outcome.repeated].flatMap(({ block, chain }) =>
        userDeployIds(chain).map((id) => ({ blockHash: hashes.get(block.key)!, deployId: fromHex(id) })),
      ),
    };
  }

  private checkSize(chains: number, { length: blocks }: readonly Block[]): void {
    if (chains > this.maxChains) throw new ExecutionError({ code: "mergeTooLarge", blocks, most: this.maxChains });
  }

  private chainsOf(block: Block, byEvidence = false): readonly DeployChain[] {
    const key = hashKey(block.hash);
    let chains = this.remembered.get(key);
    if (chains === undefined) {
      const id = mergeableIdOf(block);
      const differences = findMergeable(this.store, id);
      if (differences === undefined) throw new MergeError({ code: "mergeableMissing", postState: id.postState });
      chains = blockChains(this.states, block, differences, byEvidence);
    }
    // The last used entry is last; the first is dropped first.
    this.remembered.delete(key);
    this.remembered.set(key, chains);
    dropOldest(this.remembered, this.rememberedBlocks);
    return chains;
  }
}
