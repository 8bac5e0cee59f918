import { fromHex } from "@vedette/crypto";
import { type Block, hashKey } from "@vedette/protocol";
import type { Store } from "@vedette/store";
import {
  applyChanges,
  type DeployChain,
  MergeError,
  numberInState,
  rejectDeploys,
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
  readonly rejections: readonly Rejection[];
}

/** A deploy in a block that a merge gave up. @spec 40 §12.3 */
export interface Rejection {
  readonly blockHash: Uint8Array;
  /** Signature. */
  readonly deployId: Uint8Array;
}

/** Bounds of a merge. */
export interface MergeLimits {
  /** More chains than this are not merged: each is compared with each. */
  readonly mostChains?: number;
  /** Blocks whose chains are remembered for the next merge. */
  readonly rememberedBlocks?: number;
}

const defaultMostChains = 500;
const defaultRememberedBlocks = 32;

/**
 * Merges the states of blocks that stand side by side.
 *
 * Neighbouring blocks merge nearly the same blocks, so what a block contributes is remembered for a while.
 *
 * @spec 40 §12.2–§12.4, 30 §A
 */
export class StateMerger {
  private readonly states: StateStore;
  private readonly store: Store;
  private readonly mostChains: number;
  private readonly rememberedBlocks: number;
  private readonly remembered = new Map<string, readonly DeployChain[]>();

  /** @param store the one below `states`; has the table of the blocks' number channels */
  constructor(states: StateStore, store: Store, limits: MergeLimits = {}) {
    this.states = states;
    this.store = store;
    this.mostChains = limits.mostChains ?? defaultMostChains;
    this.rememberedBlocks = limits.rememberedBlocks ?? defaultRememberedBlocks;
  }

  /**
   * Puts the changes of blocks on top of a base state, commits the state that comes out, and says what had to be
   * rejected.
   *
   * @param baseState post-state of the base block
   * @param blocks    the blocks to merge, which were all executed here; see `mergeScope` of the chain
   * @throws {MergeError} `mergeableMissing` when a block was not executed here; `tooManyOptions`; the others when
   *   the logs and states of the blocks do not fit together
   * @throws {ExecutionError} `mergeTooLarge`
   * @cost grows with the events of the blocks, with the square of the number of deploys, and with the number of
   *   ways to resolve conflicts, which is bounded
   */
  merge(baseState: Uint8Array, blocks: readonly Block[]): MergedState {
    const blockOf = new Map<DeployChain, Uint8Array>();
    for (const block of blocks) {
      for (const chain of this.chainsOf(block)) blockOf.set(chain, block.hash);
      if (blockOf.size > this.mostChains)
        throw new ExecutionError({ code: "mergeTooLarge", blocks: blocks.length, most: this.mostChains });
    }
    const base = new StateView(this.states, baseState);
    const resolution = rejectDeploys([...blockOf.keys()], (channel) => numberInState(base, channel));
    return {
      stateHash: applyChanges(this.states, baseState, resolution.merged),
      rejectedDeploys: resolution.rejectedIds,
      rejections: [...resolution.rejected, ...resolution.repeated].flatMap((chain) =>
        userDeployIds(chain).map((id) => ({ blockHash: blockOf.get(chain)!, deployId: fromHex(id) })),
      ),
    };
  }

  private chainsOf(block: Block): readonly DeployChain[] {
    const key = hashKey(block.hash);
    let chains = this.remembered.get(key);
    if (chains === undefined) {
      const id = mergeableIdOf(block);
      const differences = findMergeable(this.store, id);
      if (differences === undefined) throw new MergeError({ code: "mergeableMissing", postState: id.postState });
      chains = blockChains(this.states, block, differences);
    }
    // The one used last stands last; the first is forgotten first.
    this.remembered.delete(key);
    this.remembered.set(key, chains);
    if (this.remembered.size > this.rememberedBlocks)
      for (const oldest of this.remembered.keys()) {
        this.remembered.delete(oldest);
        break;
      }
    return chains;
  }
}
